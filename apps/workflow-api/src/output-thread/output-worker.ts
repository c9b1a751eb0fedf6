import { parentPort } from 'node:worker_threads';
import { evaluateOutputs } from '@weir/workflow-engine';
import type { OutputResult, OutputRequest, SelectJson } from './output-request';
import { boundWebAssemblyMemory } from './bound-memory';

interface Jq {
  raw(json: string, filter: string, flags: readonly string[]): string | undefined;
}

const maxJqBytes = 268_435_456;

// A thread serves one request, so that nothing of one run can reach another.
parentPort?.once('message', (request: OutputRequest) => {
  void evaluate(request).then((found) => parentPort?.postMessage(found));
});

async function evaluate(request: OutputRequest): Promise<OutputResult> {
  const needsJq = request.fields.some(({ source }) => source.kind !== 'literal' && source.select !== undefined);
  return evaluateOutputs(request, needsJq ? await loadJq() : noJq);
}

/** Loading jq takes most of the life of this thread. */
async function loadJq(): Promise<SelectJson> {
  boundWebAssemblyMemory(maxJqBytes);
  // oxlint-disable-next-line typescript/no-require-imports -- the module is a promise, which `import()` would await
  const jq = await (require('jq-web') as Promise<Jq>);
  return (expression, value) =>
    // After `--`, an expression that starts with a minus is no option.
    (jq.raw(JSON.stringify(value), expression, ['-c', '--']) ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line));
}

const noJq: SelectJson = () => {
  throw new Error('No output has a select.');
};
