'use strict';
// Games that the engine plays against itself, as logs. The same seed gives the same games.
// The players are simple, and odd now and then so that rare things happen too.

const { DECK, SUITS, rankOf, effectiveSuit, printedSuit, rankIn, trickWinner } = require('./cards');
const { SEATS } = require('./deal');
const { tricksOf } = require('./hand');
const { PROMISE, newGame, nextDealer, startHand, legal, apply } = require('./game');

const MOST_HANDS = 60;

/** Mulberry32: a function that gives numbers from 0 up to, not including, 1. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = (list, random) => list[Math.floor(random() * list.length)];

/** A shuffled copy (Fisher and Yates). */
function shuffled(list, random) {
  const result = [...list];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other], result[last]];
  }
  return result;
}

const trumpsIn = (cards, trump) => cards.filter((card) => effectiveSuit(card, trump) === trump);

/** How good a card is to hold: any trump before any other. */
const worth = (card, trump) =>
  rankIn(card, trump) + (effectiveSuit(card, trump) === trump ? DECK.length : 0);

/** The option with the best card. */
const highest = (options, trump) =>
  options.reduce((best, next) => (worth(next.card, trump) > worth(best.card, trump) ? next : best));

const lowest = (options, trump) =>
  options.reduce((best, next) => (worth(next.card, trump) < worth(best.card, trump) ? next : best));

/** Worth staying: a trump, an ace, or that the maker would otherwise play alone and win. */
function isWorthStaying(hand) {
  const others = SEATS.filter((seat) => hand.active[seat] && seat !== hand.maker);
  return others.length === 1 || hand.hands[hand.turn].some((card) =>
    effectiveSuit(card, hand.trump) === hand.trump || rankOf(card) === 'A');
}

/**
 * The maker leads the best card until the promise is kept, others lead the worst. To a trick:
 * the cheapest card that beats those on the table, else the worst.
 */
function playWell(hand, options) {
  const { plays, trump, turn, maker } = hand;
  const isPromising = turn === maker && tricksOf(hand)[turn] < PROMISE;
  if (plays.length === 0) return (isPromising ? highest : lowest)(options, trump);
  const winning = options.filter(({ card }) => trickWinner([...plays, { seat: turn, card }], trump) === turn);
  return lowest(winning.length > 0 ? winning : options, trump);
}

/** What a sensible player would do. */
function sensible(hand, options) {
  const trumps = (trump) => trumpsIn(hand.hands[hand.turn], trump).length;
  const say = (verb, suit) => options.find((option) => option.do === verb && option.suit === suit);
  switch (hand.phase) {
    case 'order': return say(trumps(printedSuit(hand.upcard)) >= 3 ? 'order' : 'pass');
    case 'name': return say('name', SUITS.find((suit) => trumps(suit) >= 3)) ?? say('pass');
    case 'decide': return say(isWorthStaying(hand) ? 'stay' : 'drop');
    case 'discard': return lowest(options, hand.trump);
    default: return playWell(hand, options);
  }
}

/** One time in five, anything legal. */
function choose(game, random) {
  const options = legal(game);
  return random() < 0.2 ? pick(options, random) : sensible(game.hand, options);
}

/** What the log claims of a finished hand. */
function claimsOf(before, { hand, totals }) {
  const { contract, trump, maker, active, trickWinners } = hand;
  const points = totals.map((total, seat) => total - before.totals[seat]);
  return {
    contract, trump, maker, active, trick_winners: trickWinners, tricks: tricksOf(hand), points, totals,
  };
}

/** Play one hand to its end: the game after it, and the hand as a log has it. */
function playHand(before, random) {
  const dealer = nextDealer(before) ?? pick(SEATS, random);
  const deck = shuffled(DECK, random);
  let game = startHand(before, { dealer, deck }).state;
  const events = [];
  while (game.hand.phase !== 'over') {
    const event = choose(game, random);
    events.push(event);
    game = apply(game, event).state;
  }
  return { game, hand: { dealer, deck, events, claims: claimsOf(before, game) } };
}

/** Play one game, to its end or for `MOST_HANDS` hands, and write its log. */
function playGame(id, { parameters, start }, random) {
  let game = newGame({ parameters, start });
  const log = {
    format: 'buckspec-log/1', profile: 'ohio', parameters: parameters ?? {}, readings: {}, id,
    start: { totals: game.totals }, hands: [],
  };
  while (game.winners.length === 0 && log.hands.length < MOST_HANDS) {
    const played = playHand(game, random);
    log.hands.push(played.hand);
    game = played.game;
  }
  return { ...log, claims: { totals: game.totals, winners: game.winners, ended: game.ended } };
}

/**
 * The logs of some games.
 * @param {{seed: number, games: number, parameters?: object, start?: object}} wish the last two
 *   as for `newGame`
 */
function record({ seed, games, ...wish }) {
  if (!Number.isSafeInteger(seed)) throw new RangeError('"seed" must be a whole number');
  if (!(Number.isSafeInteger(games) && games >= 0)) throw new RangeError('"games" must be a whole number');
  const random = randomFrom(seed);
  return Array.from({ length: games }, (_, number) =>
    playGame(`javascript-${seed}-${number}`, wish, random));
}

module.exports = { MOST_HANDS, randomFrom, shuffled, record };
