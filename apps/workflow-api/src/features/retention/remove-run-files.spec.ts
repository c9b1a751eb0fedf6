import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { localRunFiles } from '../../run-files';
import { removeRunFiles } from './remove-run-files';

let folder: TemporaryFolder;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const run = { dagName: 'my nightly', dagRunId: 'run-1', createdAt: new Date('2026-11-21T09:30:00.123Z') };
const remove = (logFile: string, workDir: string, artifactsDir: string | null = null) =>
  removeRunFiles(
    { ...run, logFile, workDir, artifactsDir },
    {
      runFiles: localRunFiles,
      logFolder: folder.file('logs'),
      dataFolder: folder.file('data'),
    },
  );

async function made(...parts: readonly string[]): Promise<string> {
  const file = folder.file(...parts);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, '');
  return file;
}

it('removes the folders of the run and no other', async () => {
  const name = '20261121T093000123Z_run-1';
  const log = await made('logs', 'nightly', 'one', 'run.log');
  const other = await made('logs', 'nightly', 'two', 'run.log');
  const work = await made('data', 'runs', 'my%20nightly', name, 'work', 'file');
  const artifact = await made('data', 'runs', 'my%20nightly', name, 'artifacts', 'file');
  await remove(log, path.dirname(work), path.dirname(artifact));

  const own = folder.file('data', 'runs', 'my%20nightly', name);
  expect([log, own, other].map(existsSync)).toEqual([false, false, true]);
});

it('removes the two folders in which earlier versions kept the files of a run', async () => {
  const name = '20261121T093000123Z_run-1';
  const work = await made('data', 'work', 'my%20nightly', name, 'file');
  const artifact = await made('data', 'artifacts', 'my%20nightly', name, 'file');
  await remove('', path.dirname(work), path.dirname(artifact));

  expect([work, artifact].map((file) => existsSync(path.dirname(file)))).toEqual([false, false]);
});

it.each([
  ['above the folder', ['elsewhere', 'nightly', 'one', 'run.log']],
  ['of a whole DAG', ['logs', 'nightly', 'run.log']],
  ['of all DAGs', ['logs', 'run.log']],
])('keeps a folder that is %s', async (_, parts) => {
  const file = await made(...parts);
  await remove(file, path.dirname(file));

  expect(existsSync(file)).toBe(true);
});

it('removes logs elsewhere when their folder is named after the run', async () => {
  const log = await made('elsewhere', 'my%20nightly', '20261121T093000123Z_run-1', 'run.log');
  const other = await made('elsewhere', 'my%20nightly', '20261121T093000123Z_run-2', 'run.log');
  await remove(log, '/nowhere');
  await remove(other, '/nowhere');

  expect([log, other].map(existsSync)).toEqual([false, true]);
});

it('does nothing for a run without files', async () => {
  await expect(remove('', '/nowhere')).resolves.toBeUndefined();
});
