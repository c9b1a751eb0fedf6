import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { createMasker } from '../masking/masker';
import type { StepContext, StepExecutor, StepOutcome } from '../scope/step-ports';
import { parseDag, type Step } from '@weir/workflow-spec';
import { withMaskedAttempts } from './with-masked-attempts';

let folder: TemporaryFolder;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const context: StepContext = {
  index: 0,
  attempt: 1,
  iterations: 0,
  signal: new AbortController().signal,
  onStarted: () => undefined,
};

function parseStep(text: string): Step {
  const [step] = parseDag(`steps:\n  - {id: a, run: echo, ${text}}\n`).dag.steps;
  if (step === undefined) throw new Error('There is no step.');
  return step;
}

/** What becomes of an attempt that ends like this. */
async function execute(outcome: StepOutcome, { step = parseStep(''), secrets = ['hunter22'], merged = false } = {}) {
  const stdoutFile = folder.file(merged ? 'a.log' : 'a.out');
  const stderrFile = folder.file(merged ? 'a.log' : 'a.err');
  const executor: StepExecutor = { execute: () => Promise.resolve(outcome) };
  const options = { steps: [{ stdoutFile, stderrFile }], masker: createMasker(secrets) };
  return withMaskedAttempts(executor, options).execute(step, context);
}

it('masks what an attempt ends with', async () => {
  const outcome: StepOutcome = { status: 'failed', error: 'no hunter22', exitCode: 1 };

  expect(await execute(outcome)).toEqual({ status: 'failed', error: 'no *****', exitCode: 1 });
  expect(await execute(outcome, { secrets: [] })).toEqual(outcome);
});

it.each([
  ['removes the file of outputs of a run with secrets', ['hunter22'], false],
  ['keeps the file of outputs of a run without', [], true],
] as const)('%s', async (_, secrets, isKept) => {
  writeFileSync(folder.file('a.outputs'), 'one=hunter22\n');
  await execute({ status: 'succeeded' }, { secrets: [...secrets] });

  expect(existsSync(folder.file('a.outputs'))).toBe(isKept);
});

it('removes the copies of streams that share a log, and no log', async () => {
  for (const name of ['a.stdout', 'a.log']) writeFileSync(folder.file(name), '');
  await execute({ status: 'succeeded' }, { step: parseStep('output: A'), secrets: [], merged: true });

  expect(['a.stdout', 'a.log'].map((name) => existsSync(folder.file(name)))).toEqual([false, true]);
});

it('is not held up by a folder in place of a file', async () => {
  mkdirSync(folder.file('a.outputs', 'deep'), { recursive: true });
  await execute({ status: 'succeeded' });

  expect(existsSync(folder.file('a.outputs'))).toBe(false);
});
