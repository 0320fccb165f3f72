'use strict';
// The adapter over a pipe.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { DECK } = require('./cards');
const { newGame, startHand, view } = require('./engine');

const REPORTS = ['turn', 'legal', 'contract', 'trump', 'maker', 'dealer', 'active', 'table',
  'hands', 'tricks', 'totals', 'winners'];

/** Send chunks (text or bytes), close the pipe, and give the lines that come back. */
async function talk(...chunks) {
  const child = spawn(process.execPath, [path.join(__dirname, 'adapter.js')]);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => { output += text; });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => { complaints += text; });
  child.stdin.on('error', () => {}); // it may leave before all is written
  const closed = new Promise((resolve) => { child.on('close', resolve); });
  for (const chunk of chunks) {
    child.stdin.write(chunk);
    await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
  child.stdin.end();
  assert.equal(await closed, 0);
  assert.equal(complaints, '');
  return output.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

const ask = async (...requests) =>
  talk(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));

const UPCARD_SPADE = [...DECK.slice(0, 18), ...['9S', 'TS', 'JS'], ...['QS', 'KS', 'AS']];
const hand = (...events) => ({ deck: UPCARD_SPADE, events });
const play = (id, ...hands) => ({ id, op: 'play', profile: 'ohio', hands: [{ dealer: 3, ...hands[0] }, ...hands.slice(1)] });
const say = (seat, verb, more = {}) => ({ seat, do: verb, ...more });

test('hello tells what the engine does', async () => {
  const [hello] = await ask({ id: 1, op: 'hello', protocol: 1 }, { id: 2, op: 'bye' });
  assert.deepEqual([hello.id, hello.protocol, hello.engine.language], [1, 1, 'JavaScript']);
  assert.deepEqual([hello.profiles, hello.operations], [['ohio'], ['play', 'record']]);
  assert.deepEqual([hello.readings, hello.choices, hello.reports], [{}, {}, REPORTS]);
});

test('one step for the deal and one for each event, with every field', async () => {
  const [{ id, hands }] = await ask(play('p', hand(say(0, 'name', { suit: 'H' }), say(0, 'pass'), null, say(1, 'order'))));
  assert.equal(id, 'p');
  const { steps } = hands[0];
  const before = view(startHand(newGame(), { dealer: 3, deck: UPCARD_SPADE }).state);
  assert.deepEqual(steps[0], before);
  const { accepted, reason, ...after } = steps[1];
  assert.deepEqual([accepted, typeof reason, after], [false, 'string', before]);
  assert.deepEqual(steps.map((step) => step.accepted), [undefined, false, true, false, true]);
  assert.deepEqual(steps.map((step) => step.turn), [0, 0, 1, 1, 3]);
  for (const step of steps) assert.deepEqual(Object.keys(step).filter((key) => REPORTS.includes(key)), REPORTS);
  assert.equal(steps[4].maker, 1);
});

test('a hand after an unfinished one is refused, and so is the next', async () => {
  const [{ hands }] = await ask(play(1, hand(say(0, 'pass')), hand(say(0, 'pass')), hand()));
  assert.equal(hands[0].steps.length, 2);
  for (const { steps } of hands.slice(1)) {
    assert.deepEqual(steps, [{ accepted: false, reason: 'the hand before is not finished' }]);
  }
});

test('recorded games, played again, and a hand after the end', async () => {
  const [{ logs }] = await ask({ id: 1, op: 'record', profile: 'ohio', seed: 7, games: 8, parameters: { start_total: 9 } });
  assert.equal(logs.length, 8);
  const requests = logs.map(({ parameters, hands }, id) => ({
    id, op: 'play', profile: 'ohio', parameters,
    hands: [...hands, { deck: DECK, events: [] }].map(({ dealer, deck, events }, number) =>
      ({ ...(number === 0 && { dealer }), deck, events })),
  }));
  const answers = await ask(...requests);
  answers.forEach(({ id, hands }, number) => {
    assert.equal(id, number);
    logs[number].hands.forEach(({ dealer, events, claims }, place) => {
      const { steps } = hands[place];
      assert.equal(steps.length, events.length + 1);
      assert.ok(steps.slice(1).every((step) => step.accepted));
      const last = steps.at(-1);
      for (const key of ['contract', 'trump', 'maker', 'active', 'tricks', 'totals']) {
        assert.deepEqual(last[key], claims[key]);
      }
      assert.deepEqual([last.dealer, last.turn, last.legal, last.table], [dealer, null, [], [null, null, null, null]]);
    });
    const { winners } = logs[number].claims;
    assert.deepEqual(hands.at(-2).steps.at(-1).winners, winners);
    if (winners.length > 0) {
      assert.deepEqual(hands.at(-1).steps, [{ accepted: false, reason: 'the game is over' }]);
    }
  });
});

test('dealt hands are taken beside a deck or instead of it', async () => {
  const { hands: cards, upcard } = startHand(newGame(), { dealer: 3, deck: UPCARD_SPADE }).state.hand;
  const dealt = { dealt: cards, upcard, events: [] };
  const answers = await ask(play(1, hand()), play(2, { ...hand(), ...dealt }), play(3, dealt));
  assert.deepEqual(answers[1].hands, answers[0].hands);
  assert.deepEqual(answers[2].hands, answers[0].hands);
});

test('start totals, and the start total', async () => {
  const start = { totals: [3, 4, 5, 6] };
  const answers = await ask(
    play(1, hand()), { ...play(2, hand()), parameters: { start_total: 15 } },
    { ...play(3, hand()), parameters: { start_total: 15 }, start }, { ...play(4, hand()), start: { totals: [1] } },
  );
  const totals = answers.slice(0, 3).map(({ hands }) => hands[0].steps[0].totals);
  assert.deepEqual(totals, [[25, 25, 25, 25], [15, 15, 15, 15], [3, 4, 5, 6]]);
  assert.match(answers[3].error, /totals/);
});

test('what cannot be honoured, and what is no request', async () => {
  const answers = await ask(
    { id: 1, op: 'hello', protocol: 2 }, { id: 2, op: 'view' }, { ...play(3, hand()), profile: 'dirty-clubs' },
    { ...play(4, hand()), readings: { some: 'other' } }, { ...play(5, hand()), parameters: { penalty: 4 } },
    { id: 6, op: 'play', profile: 'ohio' }, { id: 7 }, null, 5, { id: 8, op: 'record', profile: 'ohio' },
  );
  assert.deepEqual(answers.map(({ id }) => id), [1, 2, 3, 4, 5, 6, 7, null, null, 8]);
  for (const answer of answers.slice(0, 5)) assert.deepEqual(Object.keys(answer), ['id', 'unsupported']);
  for (const answer of answers.slice(5)) assert.deepEqual(Object.keys(answer), ['id', 'error']);
});

test('lines that are not JSON are answered, empty ones are not', async () => {
  const answers = await talk('{"id":1,\n\n  \r\n{"id":2,"op":"hello","protocol":1}\r\n');
  assert.deepEqual(answers.map(({ id }) => id), [null, 2]);
  assert.match(answers[0].error, /JSON/);
});

test('chunks may end anywhere, in a character too; the last line needs no end', async () => {
  const bytes = Buffer.from('{"id":"ñ♥😀\u2028","op":"hello","protocol":1}\n{"id":"♣","op":"hello","protocol":1}');
  const pieces = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, at) => bytes.subarray(3 * at, 3 * at + 3));
  const answers = await talk(...pieces);
  assert.deepEqual(answers.map(({ id }) => id), ['ñ♥😀\u2028', '♣']);
});

test('long lines and many requests sent ahead are answered in order', async () => {
  const long = { ...play(0, hand()), note: '♠'.repeat(2_000_000) };
  const many = Array.from({ length: 300 }, (_, id) => play(id + 1, hand(say(0, 'pass'))));
  const answers = await ask(long, ...many);
  assert.deepEqual(answers.map(({ id }) => id), Array.from({ length: 301 }, (_, id) => id));
});

test('after bye nothing is answered', async () => {
  const answers = await ask({ id: 1, op: 'hello', protocol: 1 }, { id: 2, op: 'bye' }, { id: 3, op: 'hello', protocol: 1 });
  assert.deepEqual(answers.map(({ id }) => id), [1]);
});
