import { existsSync } from 'node:fs';
import path from 'node:path';
import { spawnProcess, temporaryFolder, type SpawnedProcess, type TemporaryFolder } from '@weir/test-kit';
import { createPrivateFile } from './private-file';
import { createWorkerLocks } from './worker-locks';

describe('createWorkerLocks', () => {
  let folder: TemporaryFolder;
  let file: string;
  let other: SpawnedProcess | undefined;

  beforeEach(() => {
    folder = temporaryFolder();
    file = folder.file('weir.db');
    createPrivateFile(file);
  });
  afterEach(async () => {
    await other?.stop();
    await folder.remove();
  });

  it('reports a worker as alive from its lock to its release', () => {
    const locks = createWorkerLocks(file);
    expect(locks.isAlive('one')).toBe(false);
    const lock = locks.hold('one');
    expect([locks.isAlive('one'), locks.isAlive('two')]).toEqual([true, false]);
    lock.release();
    expect(locks.isAlive('one')).toBe(false);
  });

  it('reports one of another process as alive until that process was killed, and removes its leftovers', async () => {
    const script = path.join(__dirname, '__fixtures__/hold-worker-lock.mjs');
    const args = ['--conditions=@weir/source', '--import', 'tsx', script, file, 'one'];
    other = await spawnProcess({ command: process.execPath, args });
    await other.waitForOutput('held', 20_000);
    const locks = createWorkerLocks(file);

    expect(locks.isAlive('one')).toBe(true);
    await other.stop({ signal: 'SIGKILL' });
    expect(locks.isAlive('one')).toBe(false);
    expect(existsSync(folder.file('weir.db.workers', 'one'))).toBe(false);
  });
});
