'use strict';
// What must hold in every game, tried on many that the engine plays against itself.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { SUITS, DECK } = require('./cards');
const { SEATS } = require('./deal');
const { MOST_HANDS, shuffled, randomFrom } = require('./record');
const { newGame, startHand, legal, apply, view, record, unsupported } = require('./engine');

const GAMES = record({ seed: 11, games: 60 });

/** Every event there is. */
const UNIVERSE = SEATS.flatMap((seat) => [
  ...['pass', 'order', 'stay', 'drop'].map((verb) => ({ seat, do: verb })),
  ...SUITS.map((suit) => ({ seat, do: 'name', suit })),
  ...DECK.flatMap((card) => [{ seat, do: 'play', card }, { seat, do: 'discard', card }]),
]);

/** Replay a log, showing `look` each hand's state before and after every event. */
function replay(log, look = () => {}) {
  return log.hands.reduce((before, { dealer, deck, events }) => {
    let state = startHand(before, { dealer, deck }).state;
    for (const event of events) {
      const next = apply(state, event).state;
      look(state, event, next);
      state = next;
    }
    return state;
  }, newGame(log));
}

test('the same seed gives the same games, another seed gives others', () => {
  assert.deepEqual(record({ seed: 11, games: 3 }), GAMES.slice(0, 3));
  assert.notDeepEqual(record({ seed: 12, games: 3 }), GAMES.slice(0, 3));
  assert.deepEqual(record({ seed: 11, games: 0 }), []);
});

test('a replay ends as the log claims', () => {
  for (const log of GAMES) {
    const { totals, winners, ended, hand } = replay(log);
    assert.deepEqual({ totals, winners, ended }, log.claims);
    assert.equal(hand.phase, 'over');
    assert.ok(winners.length > 0 || log.hands.length === MOST_HANDS);
  }
});

test('the games show every contract and both endings', () => {
  const contracts = new Set(GAMES.flatMap((log) => log.hands.map((hand) => hand.claims.contract)));
  assert.deepEqual([...contracts].sort(), ['automatic', 'named', 'no-trump', 'ordered']);
  const endings = new Set(GAMES.map((log) => log.claims.ended));
  assert.ok(endings.has('sweep') && endings.has('zero'));
});

test('of all events there are, those in `legal` are accepted and no others', () => {
  for (const log of GAMES.slice(0, 2)) {
    replay(log, (state) => {
      const accepted = UNIVERSE.filter((event) => apply(state, event).accepted);
      assert.equal(accepted.length, legal(state).length);
      assert.ok(accepted.length > 0);
      assert.ok(accepted.every((event) => event.seat === view(state).turn));
    });
  }
});

test('no card comes from nowhere, and only a discard or a play takes one away', () => {
  for (const log of GAMES) {
    replay(log, (state, event, next) => {
      const count = (one) => view(one).hands.flat().length;
      const change = { order: 1, discard: -1, play: -1 }[event.do] ?? 0;
      assert.equal(count(next) - count(state), change);
      assert.equal(new Set(view(next).hands.flat()).size, count(next));
    });
  }
});

test('a total never moves by more than five in a hand, and never for those who dropped', () => {
  for (const { claims } of GAMES.flatMap((log) => log.hands)) {
    claims.points.forEach((points, seat) => {
      assert.ok(points === 5 || (points <= 0 && points >= -4));
      if (!claims.active[seat]) assert.deepEqual([points, claims.tricks[seat]], [0, 0]);
    });
    assert.equal(claims.tricks.reduce((sum, tricks) => sum + tricks), 5);
  }
});

const NONSENSE = [
  undefined, null, 0, 'pass', true, [], {}, [[]], { seat: 0 }, { do: 'pass' },
  { seat: 0, do: 'fold' }, { seat: 0, do: 'constructor' }, { seat: 0, do: '__proto__' },
  { seat: 0, do: ['pass'] }, { seat: 0, do: null }, { seat: '0', do: 'pass' }, { seat: 4, do: 'pass' },
  { seat: -1, do: 'pass' }, { seat: 0.5, do: 'pass' }, { seat: null, do: 'pass' },
  { seat: 0, do: 'play' }, { seat: 0, do: 'play', card: 'ZZ' }, { seat: 0, do: 'play', card: null },
  { seat: 0, do: 'play', card: ['9C'] }, { seat: 0, do: 'play', card: '??' }, { seat: 0, do: 'play', card: 'JK' },
  { seat: 0, do: 'discard' }, { seat: 0, do: 'name' }, { seat: 0, do: 'name', suit: 'X' },
  { seat: 0, do: 'name', suit: {} }, { seat: 0, do: 'bid', number: 3 }, { seat: 0, do: 'alone' },
];

test('nonsense is refused with a reason in every phase', () => {
  const tried = (state) => {
    for (const event of NONSENSE) {
      if (legal(state).some(({ seat, do: verb }) => seat === event?.seat && verb === event.do && verb === 'pass')) continue;
      const answer = apply(state, event);
      assert.equal(answer.accepted, false, JSON.stringify(event));
      assert.equal(typeof answer.reason, 'string');
    }
  };
  for (const log of GAMES.slice(0, 3)) replay(log, (state, _, next) => [state, next].forEach(tried));
  assert.equal(apply(newGame(), { seat: 0, do: 'pass' }).accepted, false); // nothing dealt yet
});

test('fields that an event does not need do no harm', () => {
  const { state } = startHand(newGame(), { dealer: 3, deck: DECK }); // turns the jack of spades
  assert.ok(apply(state, { seat: 0, do: 'pass', card: '9C', note: 'sighs' }).accepted);
});

test('every deck gives an automatic contract when it turns a club, and only then', () => {
  const random = randomFrom(5);
  for (let number = 0; number < 200; number += 1) {
    const deck = shuffled(DECK, random);
    const { state } = startHand(newGame(), { dealer: number % 4, deck });
    assert.equal(view(state).contract, deck[20][1] === 'C' ? 'automatic' : null);
    assert.equal(view(state).turn, (number + 1) % 4);
  }
});

test('what cannot be honoured is named', () => {
  const ohio = { profile: 'ohio' };
  assert.equal(unsupported(ohio), null);
  assert.equal(unsupported({ ...ohio, parameters: { start_total: 15 }, readings: {} }), null);
  assert.equal(unsupported({ ...ohio, parameters: null, readings: null }), null);
  assert.match(unsupported({}), /profile/);
  assert.match(unsupported({ profile: 'dirty-clubs' }), /profile "dirty-clubs"/);
  assert.match(unsupported({ ...ohio, parameters: { penalty: 5 } }), /parameter penalty/);
  for (const value of [0, -1, 2.5, '25', null]) {
    assert.match(unsupported({ ...ohio, parameters: { start_total: value } }), /start_total as/);
  }
  assert.match(unsupported({ ...ohio, readings: { anything: 'else' } }), /reading anything/);
});
