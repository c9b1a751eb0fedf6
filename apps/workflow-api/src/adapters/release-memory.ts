import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { forgetModules } from './forget-modules';

type CollectGarbage = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * Gives unused memory back to the system. It blocks the process for some 100 ms, so it is meant for idle times after
 * a start or a busy time.
 */
export function releaseMemory(): void {
  // This module is the text of Prisma's query compiler, 2 MB, which the first statement compiles.
  forgetModules(createRequire(__filename).cache, (file) => file.endsWith('.wasm-base64.js'));
  setFlagsFromString('--expose-gc');
  // Only a context that is created after the flag is set has the function.
  const collect = runInNewContext('gc') as CollectGarbage;
  setFlagsFromString('--no-expose-gc');
  const options = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const;
  // The first collection leaves the pages that it empties in a pool of V8, which the second one gives back.
  collect(options);
  collect(options);
}
