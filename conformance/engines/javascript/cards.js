'use strict';
// Cards are strings, rank then suit ("TH" is the ten of hearts). Source: 000.01.

const SUITS = ['C', 'D', 'H', 'S'];
const RANKS = ['9', 'T', 'J', 'Q', 'K', 'A']; // of a plain suit, lowest first
const DECK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
const SAME_COLOUR = { C: 'S', S: 'C', D: 'H', H: 'D' };

const rankOf = (card) => card[0];
const printedSuit = (card) => card[1];
const isCard = (thing) => DECK.includes(thing);

/** The jack of trumps, the highest card. `trump` is a suit, or null for no trump. */
const isRightBower = (card, trump) => trump !== null && card === `J${trump}`;

/** The other jack of the same colour, the second highest card. */
const isLeftBower = (card, trump) => trump !== null && card === `J${SAME_COLOUR[trump]}`;

/** The suit a card belongs to: the left bower is a trump for all purposes. */
const effectiveSuit = (card, trump) => (isLeftBower(card, trump) ? trump : printedSuit(card));

/** How high a card stands among the trumps, or among its plain suit. */
function rankIn(card, trump) {
  if (isRightBower(card, trump)) return RANKS.length + 1;
  if (isLeftBower(card, trump)) return RANKS.length;
  return RANKS.indexOf(rankOf(card));
}

/**
 * Does `card` beat `best`, the card that is winning so far? A trump beats every plain card, a
 * higher card beats a lower one of its suit, and nothing else beats anything.
 */
function beats(card, best, trump) {
  const suit = effectiveSuit(card, trump);
  if (suit === effectiveSuit(best, trump)) return rankIn(card, trump) > rankIn(best, trump);
  return suit === trump;
}

/**
 * The seat that wins a trick.
 * @param {{seat: number, card: string}[]} plays in the order played
 * @param {?string} trump
 */
function trickWinner(plays, trump) {
  return plays.reduce((best, play) => (beats(play.card, best.card, trump) ? play : best)).seat;
}

/** The cards of a hand that may be played to a trick; `led` is its first card, null to lead. */
function playable(cards, led, trump) {
  if (led === null) return cards;
  const suit = effectiveSuit(led, trump);
  const following = cards.filter((card) => effectiveSuit(card, trump) === suit);
  return following.length > 0 ? following : cards;
}

module.exports = {
  SUITS, RANKS, DECK, rankOf, printedSuit, isCard, isRightBower, isLeftBower, effectiveSuit,
  rankIn, beats, trickWinner, playable,
};
