'use strict';
// The engine behind the protocol buckspec-engine/1: JSON lines on stdin and stdout.
const engine = require('./engine');

const HELLO = {
  protocol: 1, engine: { name: 'buckspec-javascript', version: '1.0', language: 'JavaScript' },
  profiles: engine.PROFILES, readings: {}, choices: {}, operations: ['play', 'record'],
  reports: 'turn legal contract trump maker dealer active table hands tricks totals winners'.split(' '),
};

/** Whatever goes wrong is an answer too. */
function attempt(work) {
  try { return work(); } catch (error) { return { error: String(error) }; }
}

function play(request) {
  let state = engine.newGame(request);
  const tryEvent = (event) => { // a refused event leaves the state as it was
    const { state: next = state, ...outcome } = engine.apply(state, event);
    state = next;
    return { ...outcome, ...engine.view(state) };
  };
  const playHand = ({ events, ...deal }) => {
    const dealt = engine.startHand(state, deal);
    if (!dealt.accepted) return { steps: [dealt] };
    state = dealt.state;
    return { steps: [engine.view(state), ...(events ?? []).map((event) => attempt(() => tryEvent(event)))] };
  };
  return { hands: request.hands.map(playHand) };
}

function answer(request) {
  if (request.op === undefined) return { error: request.error ?? 'a request needs an "op"' };
  if (request.op === 'hello' && request.protocol === 1) return HELLO;
  if (!HELLO.operations.includes(request.op)) return { unsupported: 'this operation or protocol' };
  const unsupported = engine.unsupported(request);
  if (unsupported !== null) return { unsupported };
  return request.op === 'play' ? play(request) : { logs: engine.record(request) };
}

/** Answer one line; false if it says "bye". */
function reply(line) {
  const request = attempt(() => ({ ...JSON.parse(line) }));
  if (request.op === 'bye') return false;
  console.log(JSON.stringify({ id: request.id ?? null, ...attempt(() => answer(request)) }));
  return true;
}

async function main(input) {
  let unfinished = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = chunk.split('\n');
    lines[0] = unfinished + lines[0];
    unfinished = lines.pop();
    if (!lines.every((line) => line.trim() === '' || reply(line))) return; // the last was "bye"
  }
  if (unfinished.trim() !== '') reply(unfinished);
}

main(process.stdin);
