import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { spawnProcess, temporaryFolder, type SpawnedProcess, type TemporaryFolder } from '@weir/test-kit';
import { lockSqliteFile } from './lock-sqlite-file';

describe('lockSqliteFile', () => {
  let folder: TemporaryFolder;
  let file: string;
  let owner: SpawnedProcess | undefined;

  beforeEach(() => {
    folder = temporaryFolder();
    file = folder.file('weir.db');
  });
  afterEach(async () => {
    await owner?.stop();
    await folder.remove();
  });

  async function lockElsewhere() {
    const script = path.join(__dirname, '__fixtures__/lock-file.mjs');
    const args = ['--expose-gc', '--conditions=@weir/source', '--import', 'tsx', script, file];
    owner = await spawnProcess({ command: process.execPath, args });
    await owner.waitForOutput('locked', 20_000);
    return owner;
  }

  it('refuses a file that another process has locked, and names that process', async () => {
    const other = await lockElsewhere();
    expect(catchRefusal(file)).toMatchObject({
      code: 'unavailable',
      reason: 'database_in_use',
      message: expect.stringContaining(`pid ${other.pid}`) as string,
    });
  });

  it('locks the file after its owner was killed', async () => {
    const other = await lockElsewhere();
    await other.stop({ signal: 'SIGKILL' });
    expect(() => lockSqliteFile(file).release()).not.toThrow();
  });

  it('refuses a second claim within one process', () => {
    const lock = lockSqliteFile(file);
    expect(catchRefusal(file)).toMatchObject({ reason: 'database_in_use' });
    lock.release();
  });

  it('follows a symbolic link', async () => {
    const lock = lockSqliteFile(file);
    await symlink(file, folder.file('link.db'));
    expect(catchRefusal(folder.file('link.db'))).toMatchObject({ reason: 'database_in_use' });
    lock.release();
  });

  it('is free after release, which may be called twice', () => {
    const lock = lockSqliteFile(file);
    lock.release();
    const next = lockSqliteFile(file);
    lock.release();
    expect(catchRefusal(file)).toMatchObject({ reason: 'database_in_use' });
    next.release();
  });

  it('locks two files at once', () => {
    const locks = [lockSqliteFile(file), lockSqliteFile(folder.file('other.db'))];
    for (const lock of locks) lock.release();
    expect(locks).toHaveLength(2);
  });
});

function catchRefusal(file: string): unknown {
  try {
    lockSqliteFile(file).release();
  } catch (error) {
    return error;
  }
  return undefined;
}
