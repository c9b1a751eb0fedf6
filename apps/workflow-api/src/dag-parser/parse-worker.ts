import { parentPort } from 'node:worker_threads';
import { parseDag } from '@weir/workflow-spec';
import type { ParseAnswer, ParseRequest } from './parse-messages';

// The only code of this program that runs in a thread of its own; the build bundles it as a file beside main.js.
parentPort?.on('message', ({ text, options }: ParseRequest) => {
  parentPort?.postMessage(parseDag(text, options) satisfies ParseAnswer);
});
