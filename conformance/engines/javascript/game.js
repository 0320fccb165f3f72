'use strict';
// Hands in a row until somebody has won. Sources: 000.02, 000.05 and 000.06.
//
// A game is a plain object that is never changed:
//   totals   by seat, counting down; they are neither raised to zero nor cut off at it
//   winners  the seats that have won, [] while the game goes on
//   ended    null, "zero" or "sweep"
//   hand     the hand being played or just played (see hand.js), null before the first

const { SEATS, HAND_SIZE, isSeat, leftOf, dealFault, cardsOf } = require('./deal');
const hands = require('./hand');

const START_TOTAL = 25;
const PENALTY = 5;
const PROMISE = 3;

const refused = (reason) => ({ accepted: false, reason });

const areTotals = (list) =>
  Array.isArray(list) && list.length === SEATS.length && list.every(Number.isSafeInteger);

/**
 * A new game. Totals given by seat win over one start total for all.
 * @param {{parameters?: {start_total?: number}, start?: {totals?: number[]}}} wish
 */
function newGame({ parameters, start } = {}) {
  const startTotal = parameters?.start_total ?? START_TOTAL;
  const totals = start?.totals ?? SEATS.map(() => startTotal);
  if (!areTotals(totals)) throw new RangeError('"totals" must be four whole numbers');
  return { totals, winners: [], ended: null, hand: null };
}

const isBetweenHands = (game) => game.hand === null || game.hand.phase === 'over';

/** The deal goes round to the left; null before the first hand, when somebody must be chosen. */
const nextDealer = (game) => (game.hand === null ? null : leftOf(game.hand.dealer));

/**
 * Deal the next hand. Only the first needs a dealer; if a later one has one, it must be right.
 * @param {object} game
 * @param {{dealer?: number, deck?: string[], dealt?: string[][], upcard?: string}} deal
 * @returns {{accepted: true, state: object} | {accepted: false, reason: string}}
 */
function startHand(game, deal) {
  if (game.winners.length > 0) return refused('the game is over');
  if (!isBetweenHands(game)) return refused('the hand before is not finished');
  const dealer = nextDealer(game) ?? deal.dealer ?? null;
  if (!isSeat(dealer)) return refused('the first hand needs a dealer');
  if ((deal.dealer ?? dealer) !== dealer) return refused(`it is the deal of seat ${dealer}`);
  const fault = dealFault(deal, dealer);
  if (fault !== null) return refused(fault);
  return { accepted: true, state: { ...game, hand: hands.startHand({ dealer, ...cardsOf(deal, dealer) }) } };
}

/** The events that are legal now. */
const legal = (game) => (game.hand === null ? [] : hands.legal(game.hand));

/**
 * Try an event; the state given is left as it was.
 * @returns {{accepted: true, state: object} | {accepted: false, reason: string}}
 */
function apply(game, event) {
  if (game.hand === null) return refused('no hand has been dealt');
  const { accepted, reason, hand } = hands.apply(game.hand, event);
  if (!accepted) return refused(reason);
  return { accepted, state: hand.phase === 'over' ? settle({ ...game, hand }) : { ...game, hand } };
}

/** What a hand adds to the total of one seat. */
function pointsFor({ active, isMaker, tricks }) {
  if (!active) return 0;
  if (isMaker && tricks < PROMISE) return PENALTY;
  return tricks === 0 ? PENALTY : -tricks;
}

/** What a finished hand adds to each total. */
function pointsOf(hand) {
  return hands.tricksOf(hand).map((tricks, seat) =>
    pointsFor({ active: hand.active[seat], isMaker: seat === hand.maker, tricks }));
}

/** The seat that took all five tricks, -1 if none did. */
const sweeperOf = (hand) => hands.tricksOf(hand).indexOf(HAND_SIZE);

/** Who has won by their totals: the lowest, if it is zero or less, and whoever shares it. */
function winnersBy(totals) {
  const lowest = Math.min(...totals);
  return lowest > 0 ? [] : SEATS.filter((seat) => totals[seat] === lowest);
}

/** Close a finished hand. All five tricks win the game at once, and nothing is scored. */
function settle(game) {
  const sweeper = sweeperOf(game.hand);
  if (sweeper !== -1) return { ...game, winners: [sweeper], ended: 'sweep' };
  const points = pointsOf(game.hand);
  const totals = game.totals.map((total, seat) => total + points[seat]);
  const winners = winnersBy(totals);
  return { ...game, totals, winners, ended: winners.length > 0 ? 'zero' : null };
}

/** The cards on the table by seat. */
function tableOf(hand) {
  const table = SEATS.map(() => null);
  for (const { seat, card } of hand.plays) table[seat] = card;
  return table;
}

/** What the protocol reports of a game in which a hand has been dealt. */
function view(game) {
  const { turn, contract, trump, maker, dealer, active, hands: cards } = game.hand;
  return {
    turn, legal: legal(game), contract, trump, maker, dealer, active, table: tableOf(game.hand),
    hands: cards, tricks: hands.tricksOf(game.hand), totals: game.totals, winners: game.winners,
  };
}

module.exports = {
  PROMISE, newGame, nextDealer, startHand, legal, apply, view,
  pointsFor, pointsOf, sweeperOf, winnersBy, settle,
};
