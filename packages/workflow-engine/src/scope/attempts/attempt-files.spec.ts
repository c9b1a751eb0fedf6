import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { parseDag, type Step } from '@weir/workflow-spec';
import { removeAttemptFiles } from './attempt-files';

let folder: TemporaryFolder;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function parseStep(text: string): Step {
  const [step] = parseDag(`steps:\n  - {id: a, run: echo, ${text}}\n`).dag.steps;
  if (step === undefined) throw new Error('There is no step.');
  return step;
}

async function remove({ step = parseStep(''), mayHoldSecrets = true, isMerged = false } = {}) {
  const stdoutFile = folder.file(isMerged ? 'a.log' : 'a.out');
  const stderrFile = folder.file(isMerged ? 'a.log' : 'a.err');
  await removeAttemptFiles(step, { stdoutFile, stderrFile }, { mayHoldSecrets });
}

it.each([
  ['removes the file of outputs of a run with secrets', true, false],
  ['keeps the file of outputs of a run without', false, true],
] as const)('%s', async (_, mayHoldSecrets, isKept) => {
  writeFileSync(folder.file('a.outputs'), 'one=hunter22\n');
  await remove({ mayHoldSecrets });

  expect(existsSync(folder.file('a.outputs'))).toBe(isKept);
});

it('removes the copies of streams that share a log, but no log', async () => {
  for (const name of ['a.stdout', 'a.log']) writeFileSync(folder.file(name), '');
  await remove({ step: parseStep('output: A'), mayHoldSecrets: false, isMerged: true });

  expect(['a.stdout', 'a.log'].map((name) => existsSync(folder.file(name)))).toEqual([false, true]);
});

it('continues despite a folder in place of a file', async () => {
  mkdirSync(folder.file('a.outputs', 'deep'), { recursive: true });
  await remove();

  expect(existsSync(folder.file('a.outputs'))).toBe(false);
});
