import { constants, createContext, Script } from 'node:vm';
import type { Print } from './printer';
import { defineUrls, urlCalls } from './realm-urls';

/** The JavaScript globals of one call. */
export interface Realm {
  /** Evaluates a script. */
  run(script: Script): unknown;
  /** Parses JSON into objects of this realm. */
  parse(json: string): unknown;
  /** Redirects `console`. */
  printTo(print: Print): void;
}

// Removes globals that allocate memory outside the heap, which no limit covers. Only functions of the realm itself are
// reachable inside, and none of Node's.
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
  // The types do not know this form of the call.
  const context = createContext(constants.DONT_CONTEXTIFY);
  let print: Print = () => undefined;
  const open = setUp.runInContext(context) as (print: Print) => (json: string) => unknown;
  const parse = open((stream, values) => print(stream, values));
  const openUrls = defineUrls.runInContext(context) as (calls: typeof urlCalls) => void;
  openUrls(urlCalls);
  return {
    run: (script) => script.runInContext(context) as unknown,
    parse,
    printTo: (to) => {
      print = to;
    },
  };
}
