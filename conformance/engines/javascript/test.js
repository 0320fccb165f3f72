'use strict';
// The rules by example. The numbers in the names are sections of the source (000).
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { SUITS, DECK, effectiveSuit, trickWinner, playable } = require('./cards');
const { SEATS, deal } = require('./deal');
const { pointsFor, pointsOf, winnersBy, settle } = require('./game');
const { shuffled, randomFrom } = require('./record');
const { newGame, startHand, legal, apply, view } = require('./engine');

/** No test may change a state, and no move may. */
function frozen(thing) {
  if (typeof thing === 'object' && thing !== null) Object.values(Object.freeze(thing)).forEach(frozen);
  return thing;
}

/** "3 play TH" as an event. */
function event(words) {
  const [seat, verb, what] = words.split(' ');
  const value = { play: { card: what }, discard: { card: what }, name: { suit: what } }[verb];
  return { seat: Number(seat), do: verb, ...value };
}

const said = ({ seat, do: verb, card = '', suit = '' }) => `${seat} ${verb} ${card}${suit}`.trim();
const options = (state) => legal(state).map(said).sort();

/** Play events, each of which must be accepted. */
function run(state, ...events) {
  return events.reduce((now, words) => {
    const answer = apply(frozen(now), event(words));
    assert.ok(answer.accepted, `${words}: ${answer.reason}`);
    return answer.state;
  }, state);
}

/** The reason why an event is refused. */
function refusal(state, words) {
  const answer = apply(frozen(state), typeof words === 'string' ? event(words) : words);
  assert.deepEqual(Object.keys(answer), ['accepted', 'reason']);
  assert.equal(answer.accepted, false);
  return answer.reason;
}

// Dealer 3, so seat 0 speaks first and leads.
const HANDS = [
  ['KH', '9C', 'AS', 'TS', '9D'], ['JD', 'AD', 'KS', 'QC', 'TD'],
  ['AH', 'JS', 'QD', 'KC', 'AC'], ['TH', '9H', 'KD', 'TC', '9S'],
];
const dealt = (upcard, game = newGame(), dealer = 3) => {
  const answer = startHand(game, { dealer, dealt: HANDS, upcard });
  assert.ok(answer.accepted, answer.reason);
  return answer.state;
};
const ALL_STAY = ['0 stay', '2 stay', '3 stay'];
const hearts = (...decisions) => run(dealt('QH'), '0 pass', '1 order', '3 discard 9S', ...decisions);

test('01: the second jack is a trump, and no card of its own suit', () => {
  assert.equal(effectiveSuit('JD', 'H'), 'H');
  assert.equal(effectiveSuit('JH', 'D'), 'D');
  assert.equal(effectiveSuit('JS', 'C'), 'C');
  assert.equal(effectiveSuit('JC', 'S'), 'S');
  assert.equal(effectiveSuit('JD', 'S'), 'D');
  assert.equal(effectiveSuit('JD', null), 'D');
  assert.equal(effectiveSuit('QD', 'H'), 'D');
});

test('01: the order of trumps and of plain suits', () => {
  const inOrder = (cards, trump) => cards.forEach((high, place) => {
    for (const low of cards.slice(place + 1)) {
      assert.equal(trickWinner([{ seat: 0, card: low }, { seat: 1, card: high }], trump), 1);
      assert.equal(trickWinner([{ seat: 0, card: high }, { seat: 1, card: low }], trump), 0);
    }
  });
  inOrder(['JH', 'JD', 'AH', 'KH', 'QH', 'TH', '9H'], 'H');
  inOrder(['JC', 'JS', 'AC', 'KC', 'QC', 'TC', '9C'], 'C');
  inOrder(['AD', 'KD', 'QD', 'TD', '9D'], 'H'); // without its jack
  inOrder(['AS', 'KS', 'QS', 'JS', 'TS', '9S'], 'H');
  for (const suit of SUITS) inOrder([...'AKQJT9'].map((rank) => rank + suit), null);
});

test('04: the highest trump wins, else the highest of the suit led', () => {
  const winner = (cards, trump) =>
    trickWinner(cards.split(' ').map((card, seat) => ({ seat, card })), trump);
  assert.equal(winner('KH JD AH TH', 'H'), 1); // 08: the example
  assert.equal(winner('AC 9H KC TH', 'H'), 3);
  assert.equal(winner('9C AS AD KS', 'H'), 0);
  assert.equal(winner('9C AS AD KS', null), 0);
  assert.equal(winner('AD JD 9S KS', 'H'), 1);
  assert.equal(winner('JD AD KD', 'H'), 0);
  assert.equal(winner('AD JD JH 9H', 'H'), 2);
  assert.equal(winner('JD AD 9S', null), 1);
});

test('04: following suit with and without the left bower', () => {
  assert.deepEqual(playable(['JD', '9D', 'AS'], 'AD', 'H'), ['9D']);
  assert.deepEqual(playable(['JD', 'AS'], 'AD', 'H'), ['JD', 'AS']);
  assert.deepEqual(playable(['JD', '9D', 'AS'], '9H', 'H'), ['JD']);
  assert.deepEqual(playable(['9H', '9D', 'AS'], 'JD', 'H'), ['9H']);
  assert.deepEqual(playable(['JD', '9D', 'AS'], 'AD', null), ['JD', '9D']);
  assert.deepEqual(playable(['JD', '9D'], null, 'H'), ['JD', '9D']);
});

test('02: from the dealer’s left three each and then two, the 21st card is turned up', () => {
  const { hands, upcard } = deal(DECK, 1);
  const at = (...places) => places.map((place) => DECK[place]);
  assert.deepEqual(hands, [
    at(6, 7, 8, 16, 17), at(9, 10, 11, 18, 19), at(0, 1, 2, 12, 13), at(3, 4, 5, 14, 15),
  ]);
  assert.equal(upcard, DECK[20]);
});

test('02: all start at 25, or as told', () => {
  assert.deepEqual(newGame().totals, [25, 25, 25, 25]);
  assert.deepEqual(newGame({ parameters: { start_total: 15 } }).totals, [15, 15, 15, 15]);
  const start = { totals: [1, -2, 30, 4] };
  assert.deepEqual(newGame({ parameters: { start_total: 15 }, start }).totals, [1, -2, 30, 4]);
  for (const totals of [[25, 25, 25], [25, 25, 25, '25'], [25, 25, 25, 0.5], 25]) {
    assert.throws(() => newGame({ start: { totals } }), RangeError);
  }
});

test('02: a turned club is trump at once, nobody’s card, and nobody may drop', () => {
  const hands = HANDS.map((cards) => cards.map((card) => (card === '9C' ? 'QH' : card)));
  const { state } = startHand(newGame(), { dealer: 3, dealt: hands, upcard: '9C' });
  const seen = view(state);
  assert.deepEqual([seen.contract, seen.trump, seen.maker, seen.turn], ['automatic', 'C', null, 0]);
  assert.deepEqual(seen.hands, hands);
  assert.deepEqual(options(state), hands[0].map((card) => `0 play ${card}`).sort());
  assert.match(refusal(state, '0 drop'), /time to play/);
  assert.match(refusal(state, '0 order'), /time to play/);
});

test('03: before a contract', () => {
  const seen = view(dealt('QH'));
  assert.deepEqual([seen.contract, seen.trump, seen.maker], [null, null, null]);
  assert.deepEqual(seen.active, [true, true, true, true]);
  assert.deepEqual(seen.table, [null, null, null, null]);
  assert.deepEqual([seen.turn, seen.dealer], [0, 3]);
  assert.deepEqual(seen.legal, [{ seat: 0, do: 'pass' }, { seat: 0, do: 'order' }]);
});

test('03: whoever orders is the maker, the dealer takes the card and discards one of six', () => {
  const state = run(dealt('QH'), '0 pass', '1 order');
  const seen = view(state);
  assert.deepEqual([seen.contract, seen.trump, seen.maker, seen.turn], ['ordered', 'H', 1, 3]);
  assert.deepEqual(seen.hands[3], [...HANDS[3], 'QH']);
  assert.equal(options(state).length, 6);
  assert.deepEqual(view(run(state, '3 discard QH')).hands[3], HANDS[3]);
  assert.deepEqual(view(run(state, '3 discard 9S')).hands[3], ['TH', '9H', 'KD', 'TC', 'QH']);
  assert.match(refusal(state, '3 discard KH'), /does not hold/);
  assert.match(refusal(state, '1 discard KH'), /turn of seat 3/);
  assert.match(refusal(state, '3 stay'), /discard one of six/);
});

test('03: the dealer may order, and is then the maker', () => {
  const state = run(dealt('QH'), '0 pass', '1 pass', '2 pass', '3 order', '3 discard QH');
  assert.deepEqual([view(state).maker, view(state).turn], [3, 0]);
});

test('03: in the second round any suit but the one turned down, clubs too', () => {
  const state = run(dealt('QH'), '0 pass', '1 pass', '2 pass', '3 pass');
  assert.deepEqual(options(state), ['0 name C', '0 name D', '0 name S', '0 pass']);
  assert.match(refusal(state, '0 name H'), /turned down/);
  assert.match(refusal(state, '0 name NT'), /must be one of C, D, S/);
  assert.match(refusal(state, { seat: 0, do: 'name' }), /must be one of/);
  assert.match(refusal(state, '0 order'), /name another suit/);
  const named = run(state, '0 pass', '1 name C');
  assert.deepEqual([view(named).contract, view(named).trump, view(named).maker], ['named', 'C', 1]);
  assert.deepEqual(view(named).hands, HANDS); // the turned card stays out
  assert.deepEqual(options(named), ['2 drop', '2 stay']);
});

test('03: two rounds of passes: no trump, no maker, nobody may drop', () => {
  const passes = SEATS.map((seat) => `${seat} pass`);
  const seen = view(run(dealt('QH'), ...passes, ...passes));
  assert.deepEqual([seen.contract, seen.trump, seen.maker, seen.turn], ['no-trump', null, null, 0]);
  assert.deepEqual(seen.legal.map(said), HANDS[0].map((card) => `0 play ${card}`));
});

test('03: the others stay or drop from the maker’s left; the maker cannot drop', () => {
  const state = hearts();
  assert.equal(view(state).turn, 2);
  assert.match(refusal(state, '1 drop'), /turn of seat 2/);
  assert.match(refusal(state, '2 play AH'), /stay or drop/);
  const decided = run(state, '2 drop', '3 stay', '0 drop');
  assert.deepEqual(view(decided).active, [false, true, false, true]);
  assert.deepEqual(view(decided).hands[2], HANDS[2]); // put aside, still reported
});

test('04: the first active seat left of the dealer leads, and the dropped are skipped', () => {
  assert.equal(view(hearts('2 stay', '3 stay', '0 stay')).turn, 0);
  const state = hearts('2 drop', '3 stay', '0 drop');
  assert.equal(view(state).turn, 1);
  const one = run(state, '1 play AD');
  assert.deepEqual([view(one).turn, view(one).table], [3, [null, 'AD', null, null]]);
  const trick = run(one, '3 play KD');
  assert.deepEqual(view(trick).table, [null, null, null, null]);
  assert.deepEqual([view(trick).tricks, view(trick).turn], [[0, 1, 0, 0], 1]);
  assert.match(refusal(trick, '0 play 9D'), /turn of seat 1/);
});

test('04: the worked hand: the left bower must follow hearts and beats the ace', () => {
  const state = run(hearts('2 stay', '3 stay', '0 stay'), '0 play KH');
  assert.deepEqual(options(state), ['1 play JD']); // its only heart
  assert.match(refusal(state, '1 play AD'), /H was led/);
  const trick = run(state, '1 play JD', '2 play AH', '3 play TH');
  assert.deepEqual([view(trick).tricks, view(trick).turn], [[0, 1, 0, 0], 1]);
});

test('05: what a hand adds to a total', () => {
  const points = (tricks, isMaker = false, active = true) => pointsFor({ active, isMaker, tricks });
  assert.deepEqual([0, 1, 2, 3, 4].map((tricks) => points(tricks)), [5, -1, -2, -3, -4]);
  assert.deepEqual([0, 1, 2, 3, 4].map((tricks) => points(tricks, true)), [5, 5, 5, -3, -4]);
  assert.equal(points(0, false, false), 0);
});

const ended = (trickWinners, others = {}) =>
  ({ phase: 'over', active: [true, true, true, true], maker: null, trickWinners, ...others });

test('05: the worked example: maker 2, the others 2, 1, 0', () => {
  const after = settle({ ...newGame(), hand: ended([0, 0, 1, 1, 2], { maker: 0 }) });
  assert.deepEqual(after.totals, [30, 23, 24, 30]);
  assert.deepEqual([after.winners, after.ended], [[], null]);
});

test('05: no maker: everybody counts tricks, or five for none', () => {
  assert.deepEqual(pointsOf(ended([0, 0, 1, 1, 2])), [-2, -2, -1, 5]);
  assert.deepEqual(pointsOf(ended([0, 0, 1, 1, 1], { active: [true, true, false, true], maker: 3 })), [-2, -3, 0, 5]);
});

test('06: all five tricks win at once, from any total, and nothing is scored', () => {
  const totals = [90, 1, 2, 3];
  const after = settle({ ...newGame({ start: { totals } }), hand: ended([0, 0, 0, 0, 0], { maker: 1 }) });
  assert.deepEqual([after.totals, after.winners, after.ended], [totals, [0], 'sweep']);
});

test('06: zero or less wins, the lowest of several, and an exact tie is shared', () => {
  assert.deepEqual(winnersBy([1, 2, 3, 4]), []);
  assert.deepEqual(winnersBy([0, 2, 3, 4]), [0]);
  assert.deepEqual(winnersBy([0, -2, -1, 4]), [1]);
  assert.deepEqual(winnersBy([-2, 9, -2, -1]), [0, 2]);
  assert.deepEqual(winnersBy([0, 0, 0, 0]), [0, 1, 2, 3]);
});

test('06: a maker whom all leave alone plays five tricks of one card and wins', () => {
  const end = run(hearts('2 drop', '3 drop', '0 drop'), ...HANDS[1].map((card) => `1 play ${card}`));
  const seen = view(end);
  assert.deepEqual([seen.turn, seen.legal, seen.table], [null, [], [null, null, null, null]]);
  assert.deepEqual([seen.winners, seen.totals, seen.tricks], [[1], [25, 25, 25, 25], [0, 5, 0, 0]]);
  assert.deepEqual([seen.contract, seen.trump, seen.maker], ['ordered', 'H', 1]);
  assert.deepEqual(seen.active, [false, true, false, false]);
  assert.deepEqual(seen.hands.map((cards) => cards.length), [5, 0, 5, 5]);
  assert.match(refusal(end, '1 play AD'), /hand is over/);
  assert.match(startHand(end, { deck: DECK }).reason, /game is over/);
});

/** Play the first legal event until the hand is over. */
function toTheEnd(state) {
  let now = state;
  while (legal(now).length > 0) now = apply(now, legal(now)[0]).state;
  return now;
}

test('02: the deal goes round to the left', () => {
  const game = dealt('QH', newGame({ start: { totals: [99, 99, 99, 99] } }));
  assert.match(startHand(game, { deck: DECK }).reason, /not finished/);
  let state = toTheEnd(game);
  assert.deepEqual(view(state).winners, []);
  assert.match(startHand(state, { dealer: 3, deck: DECK }).reason, /deal of seat 0/);
  for (const dealer of [0, 1]) {
    state = startHand(state, { deck: shuffled(DECK, randomFrom(dealer)) }).state;
    assert.equal(view(state).dealer, dealer);
    state = toTheEnd(state);
  }
});

test('deals that cannot be played are refused', () => {
  const reason = (given) => startHand(newGame(), { dealer: 3, ...given }).reason;
  const { hands, upcard } = deal(DECK, 3);
  assert.equal(reason({ deck: DECK, dealt: hands.map((cards) => [...cards].reverse()), upcard }), undefined);
  assert.equal(reason({ deck: DECK, upcard }), undefined);
  assert.match(reason({ deck: DECK, dealt: [...hands].reverse(), upcard }), /not those/);
  assert.match(reason({ deck: DECK, dealt: hands, upcard: DECK[21] }), /not those/);
  assert.match(reason({}), /needs a deck/);
  assert.match(reason({ upcard }), /needs a deck/);
  for (const deck of ['', 'x', {}, [], DECK.slice(1), [...DECK, '9C'], [...DECK.slice(1), '??'], [...DECK.slice(1), 'AS']]) {
    assert.match(reason({ deck }), /24 cards once/);
  }
  for (const bad of [hands.slice(1), [hands[0], hands[0], hands[1], hands[2]], 'x', [1, 2, 3, 4]]) {
    assert.match(reason({ dealt: bad, upcard }), /four hands of five/);
  }
  assert.match(reason({ dealt: hands, upcard: hands[0][0] }), /no card twice/);
  assert.match(reason({ dealt: hands }), /and an up-card/);
  for (const dealer of [undefined, null, 4, -1, '0', 1.5]) {
    assert.match(reason({ dealer, deck: DECK }), /needs a dealer/);
  }
});
