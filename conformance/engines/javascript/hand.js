'use strict';
// One hand, from the turned card to the fifth trick. Sources: 000.02, 000.03 and 000.04.
//
// A hand is a plain object that is never changed: every move gives a new one.
//   phase         "order" → "discard", or "name" → "decide" → "play" → "over"
//   turn          the seat to act, null when the hand is over
//   dealer, upcard, hands (cards by seat)
//   contract      null until there is one, then "ordered", "named", "automatic" or "no-trump"
//   trump, maker  null if there is none
//   active        by seat: false for those who dropped
//   plays         [{seat, card}] of the trick on the table, in the order played
//   trickWinners  the seats that won the tricks so far, in order

const { SUITS, printedSuit, effectiveSuit, playable, trickWinner } = require('./cards');
const { SEATS, HAND_SIZE, isSeat, leftOf, seatsFrom } = require('./deal');

const NOBODY = null;
const CLUBS = 'C';

/** The state after the deal. A turned-up club is trump at once, and nobody's card. */
function startHand({ dealer, hands, upcard }) {
  const hand = {
    phase: 'order', turn: leftOf(dealer), dealer, upcard, hands,
    contract: null, trump: null, maker: NOBODY,
    active: SEATS.map(() => true), plays: [], trickWinners: [],
  };
  return isAutomatic(upcard) ? beginPlay(withContract(hand, 'automatic', CLUBS, NOBODY)) : hand;
}

const isAutomatic = (upcard) => printedSuit(upcard) === CLUBS;

const withContract = (hand, contract, trump, maker) => ({ ...hand, contract, trump, maker });

const tricksOf = (hand) =>
  SEATS.map((seat) => hand.trickWinners.filter((winner) => winner === seat).length);

// ------------------------------------------------------------------------ what may be done

/** The suits that may be named in the second round: all but the one turned down. */
const nameable = (upcard) => SUITS.filter((suit) => suit !== printedSuit(upcard));

const ledCard = (hand) => (hand.plays.length > 0 ? hand.plays[0].card : null);

/** What the seat whose turn it is may do, by phase. */
const OPTIONS = {
  order: () => [{ do: 'pass' }, { do: 'order' }],
  name: (hand) => [
    { do: 'pass' }, ...nameable(hand.upcard).map((suit) => ({ do: 'name', suit })),
  ],
  discard: (hand) => hand.hands[hand.turn].map((card) => ({ do: 'discard', card })),
  decide: () => [{ do: 'stay' }, { do: 'drop' }],
  play: (hand) => playable(hand.hands[hand.turn], ledCard(hand), hand.trump)
    .map((card) => ({ do: 'play', card })),
  over: () => [],
};

/** All events that are legal now, in no particular order. */
const legal = (hand) =>
  OPTIONS[hand.phase](hand).map((option) => ({ seat: hand.turn, ...option }));

/** Does the event say what this legal event says? More fields than needed do no harm. */
const matches = (event, option) => Object.keys(option).every((key) => event[key] === option[key]);

// ------------------------------------------------------------------------ what it then does

/** The auction goes on to the left; the dealer is the last to speak in each round. */
function pass(hand) {
  if (hand.turn !== hand.dealer) return { ...hand, turn: leftOf(hand.turn) };
  if (hand.phase === 'order') return { ...hand, phase: 'name', turn: leftOf(hand.dealer) };
  return beginPlay(withContract(hand, 'no-trump', null, NOBODY));
}

/** Whoever orders is the maker; the dealer takes the turned card and has six until the discard. */
function order(hand) {
  const ordered = withContract(hand, 'ordered', printedSuit(hand.upcard), hand.turn);
  const hands = hand.hands.map((cards, seat) =>
    (seat === hand.dealer ? [...cards, hand.upcard] : cards));
  return { ...ordered, hands, phase: 'discard', turn: hand.dealer };
}

const discard = (hand, { card }) => beginDecisions(removeCard(hand, hand.turn, card));

const name = (hand, { suit }) => beginDecisions(withContract(hand, 'named', suit, hand.turn));

const stay = (hand) => nextDecision(hand);

const drop = (hand) =>
  nextDecision({ ...hand, active: hand.active.map((is, seat) => is && seat !== hand.turn) });

/** All but the maker decide, from the maker's left. */
const beginDecisions = (hand) => ({ ...hand, phase: 'decide', turn: leftOf(hand.maker) });

function nextDecision(hand) {
  const next = leftOf(hand.turn);
  return next === hand.maker ? beginPlay(hand) : { ...hand, turn: next };
}

const beginPlay = (hand) => ({ ...hand, phase: 'play', turn: nextActive(hand, hand.dealer) });

/** The first active seat to the left of `seat`. */
const nextActive = (hand, seat) => seatsFrom(leftOf(seat)).find((other) => hand.active[other]);

function play(hand, { card }) {
  const plays = [...hand.plays, { seat: hand.turn, card }];
  const played = { ...removeCard(hand, hand.turn, card), plays };
  return isComplete(played) ? endTrick(played) : { ...played, turn: nextActive(hand, hand.turn) };
}

const isComplete = (hand) => hand.plays.length === hand.active.filter(Boolean).length;

/** The winner of a trick leads to the next; after the fifth the hand is over. */
function endTrick(hand) {
  const winner = trickWinner(hand.plays, hand.trump);
  const next = { ...hand, plays: [], trickWinners: [...hand.trickWinners, winner] };
  return next.trickWinners.length < HAND_SIZE
    ? { ...next, turn: winner }
    : { ...next, phase: 'over', turn: null };
}

function removeCard(hand, seat, card) {
  const hands = hand.hands.map((cards, other) =>
    (other === seat ? cards.filter((held) => held !== card) : cards));
  return { ...hand, hands };
}

const MOVES = { pass, order, discard, name, stay, drop, play };

/**
 * Try an event. `legal` alone decides; `explain` only finds words for a refusal.
 * @returns {{accepted: true, hand: object} | {accepted: false, reason: string}}
 */
function apply(hand, event) {
  const isObject = typeof event === 'object' && event !== null;
  if (isObject && legal(hand).some((option) => matches(event, option))) {
    return { accepted: true, hand: MOVES[event.do](hand, event) };
  }
  return { accepted: false, reason: isObject ? explain(hand, event) : 'an event is an object' };
}

// ------------------------------------------------------------------------ why it was refused

const TIME_TO = {
  order: 'pass or order',
  name: 'pass or name another suit',
  discard: 'discard one of six cards',
  decide: 'stay or drop',
  play: 'play a card',
};

/** Why an event that is not legal is refused. */
function explain(hand, event) {
  if (!Object.hasOwn(MOVES, event.do)) return `"do" must be one of ${Object.keys(MOVES).join(', ')}`;
  if (!isSeat(event.seat)) return `"seat" must be one of ${SEATS.join(', ')}`;
  if (hand.phase === 'over') return 'the hand is over';
  if (event.seat !== hand.turn) return `it is the turn of seat ${hand.turn}`;
  if (!legal(hand).some((option) => option.do === event.do)) {
    return `it is time to ${TIME_TO[hand.phase]}`;
  }
  if (event.do === 'name') return explainName(hand, event.suit);
  return explainCard(hand, event.card);
}

function explainName(hand, suit) {
  if (suit === printedSuit(hand.upcard)) return 'the suit turned down cannot be named';
  return `"suit" must be one of ${nameable(hand.upcard).join(', ')}`;
}

function explainCard(hand, card) {
  if (card === undefined) return 'which card?';
  if (!hand.hands[hand.turn].includes(card)) return `seat ${hand.turn} does not hold that card`;
  return `seat ${hand.turn} can follow suit and must: ${effectiveSuit(ledCard(hand), hand.trump)} was led`;
}

module.exports = { startHand, legal, apply, tricksOf, nameable, nextActive };
