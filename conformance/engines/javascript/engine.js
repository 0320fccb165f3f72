'use strict';
/**
 * Buck Euchre, Ohio profile: pure rules, no input or output. A state is plain data and is never
 * changed; `startHand` and `apply` answer {accepted: true, state} or {accepted: false, reason}.
 *
 *   const { newGame, startHand, legal, apply, view } = require('./engine');
 *   let state = newGame({ parameters: { start_total: 25 } });
 *   state = startHand(state, { dealer: 3, deck }).state;
 *   legal(state);                                     // [{seat: 0, do: "pass"}, …]
 *   const answer = apply(state, { seat: 0, do: 'pass' });
 *   if (answer.accepted) state = answer.state; else console.log(answer.reason);
 */
const { newGame, startHand, legal, apply, view } = require('./game');
const { record } = require('./record');

const PROFILES = ['ohio'];
const PARAMETERS = { start_total: (value) => Number.isSafeInteger(value) && value > 0 };

/** Why a game cannot be played as asked, null if it can. No reading but the profile's is known. */
function unsupported({ profile, parameters, readings }) {
  if (!PROFILES.includes(profile)) return `profile ${JSON.stringify(profile)}`;
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (!Object.hasOwn(PARAMETERS, name)) return `parameter ${name}`;
    if (!PARAMETERS[name](value)) return `parameter ${name} as ${JSON.stringify(value)}`;
  }
  for (const name of Object.keys(readings ?? {})) return `reading ${name}`;
  return null;
}

module.exports = { PROFILES, unsupported, newGame, startHand, legal, apply, view, record };
