import { parentPort } from 'node:worker_threads';
import type { ParseAnswer, ParseRequest } from './parse-messages';
import { parseSpec } from './parse-spec';

// The build bundles this file next to main.js, because it runs as a worker thread.
parentPort?.on('message', ({ text, options }: ParseRequest) => {
  parentPort?.postMessage(parseSpec(text, options) satisfies ParseAnswer);
});
