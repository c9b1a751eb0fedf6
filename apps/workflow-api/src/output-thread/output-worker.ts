import { parentPort } from 'node:worker_threads';
import { evaluateOutputs } from '@weir/workflow-engine';
import jqWeb from 'jq-web';
import type { OutputResult, OutputRequest, SelectJson } from './output-request';
import { boundWebAssemblyMemory } from './bound-memory';

const maxJqBytes = 268_435_456;

// One request per thread, so that nothing of one run can reach another.
parentPort?.once('message', (request: OutputRequest) => {
  void evaluate(request).then((found) => parentPort?.postMessage(found));
});

async function evaluate(request: OutputRequest): Promise<OutputResult> {
  boundWebAssemblyMemory(maxJqBytes);
  const jq = await jqWeb;
  const select: SelectJson = (expression, value) =>
    // After `--`, an expression that starts with a minus is not an option.
    (jq.raw(JSON.stringify(value), expression, ['-c', '--']) ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line));
  return evaluateOutputs(request, select);
}
