'use strict';
// Seats 0–3 go clockwise. Source: 000.02.

const { DECK, isCard } = require('./cards');

const SEATS = [0, 1, 2, 3];
const BATCHES = [3, 2];
const HAND_SIZE = 5;

const isSeat = (thing) => SEATS.includes(thing);
const leftOf = (seat) => (seat + 1) % SEATS.length;

/** The four seats clockwise, `seat` first. */
const seatsFrom = (seat) => [...SEATS.slice(seat), ...SEATS.slice(0, seat)];

/**
 * Deal from the dealer's left, three cards each and then two, and turn up the next card.
 * @param {string[]} deck in dealing order
 * @param {number} dealer
 * @returns {{hands: string[][], upcard: string}} the last three cards stay unused
 */
function deal(deck, dealer) {
  const hands = SEATS.map(() => []);
  let next = 0;
  for (const size of BATCHES) {
    for (const seat of seatsFrom(leftOf(dealer))) {
      hands[seat].push(...deck.slice(next, next + size));
      next += size;
    }
  }
  return { hands, upcard: deck[next] };
}

/** Known cards, none of them twice. */
const areCards = (list) =>
  Array.isArray(list) && list.every(isCard) && new Set(list).size === list.length;

const areHands = (lists) =>
  Array.isArray(lists) && lists.length === SEATS.length &&
  lists.every((cards) => Array.isArray(cards) && cards.length === HAND_SIZE);

/** The same cards in any order. */
const sameCards = (a, b) => a.every((card) => b.includes(card));

/**
 * What is wrong with a deal that somebody sent (a deck, or dealt hands and an up-card, or both)?
 * @returns {?string} a reason, null if it can be played
 */
function dealFault({ deck = null, dealt = null, upcard = null }, dealer) {
  if (deck === null && dealt === null) return 'a deal needs a deck, or dealt hands and an up-card';
  if (deck !== null && !(areCards(deck) && deck.length === DECK.length)) {
    return 'a deck is each of the 24 cards once';
  }
  if (dealt !== null && !(areHands(dealt) && areCards([...dealt.flat(), upcard]))) {
    return 'a deal is four hands of five cards and an up-card, no card twice';
  }
  if (deck === null) return null;
  const fromDeck = deal(deck, dealer);
  const agrees = (upcard === null || upcard === fromDeck.upcard) &&
    (dealt === null || SEATS.every((seat) => sameCards(dealt[seat], fromDeck.hands[seat])));
  return agrees ? null : 'the dealt cards are not those that the deck gives';
}

/** The hands and the up-card of a deal without a fault. */
function cardsOf({ deck = null, dealt, upcard }, dealer) {
  return deck === null ? { hands: dealt, upcard } : deal(deck, dealer);
}

module.exports = { SEATS, HAND_SIZE, isSeat, leftOf, seatsFrom, deal, dealFault, cardsOf };
