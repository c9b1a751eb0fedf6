import { constants, createContext, Script } from 'node:vm';
import type { Print } from './printer';

/** The standard JavaScript objects, for one call. */
export interface Realm {
  /** The value of the script. */
  run(script: Script): unknown;
  /** The value of a JSON text, made of the objects of this realm. */
  parse(json: string): unknown;
  /** Where `console` prints from now on. */
  printTo(print: Print): void;
}

// Memory that the limits of a thread know nothing of is left out. Inside, only the realm's own functions can be
// reached: no way leads to those of Node.
const setUp = new Script(
  `(print) => {
  'use strict';
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics']) delete globalThis[name];
  const to = (stream) => (...values) => { print(stream, values); };
  const out = to('stdout'), err = to('stderr');
  const value = { log: out, info: out, debug: out, warn: err, error: err };
  Object.defineProperty(globalThis, 'console', { value, writable: true, configurable: true });
  return JSON.parse;
}`,
  { filename: 'weir:realm' },
);

export function createRealm(): Realm {
  // The types know contexts only as objects that were given.
  const context = createContext(constants.DONT_CONTEXTIFY);
  let print: Print = () => undefined;
  const open = setUp.runInContext(context) as (print: Print) => (json: string) => unknown;
  const parse = open((stream, values) => print(stream, values));
  return {
    run: (script) => script.runInContext(context) as unknown,
    parse,
    printTo: (to) => {
      print = to;
    },
  };
}
