import { parentPort } from 'node:worker_threads';
import type { ParseAnswer, ParseRequest } from './parse-messages';
import { parseSpec } from './parse-spec';

// The only code of this program that runs in a thread of its own; the build bundles it as a file beside main.js.
parentPort?.on('message', ({ text, options }: ParseRequest) => {
  parentPort?.postMessage(parseSpec(text, options) satisfies ParseAnswer);
});
