import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describeUnless, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { createStorageCheck } from './storage-check';

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

describe('createStorageCheck', () => {
  it('returns true for a disk with space', async () => {
    const folder = temporaryFolder();
    await expect(createStorageCheck([folder.path])()).resolves.toBe(true);
    await folder.remove();
  });
});

describeUnless(canMount ? undefined : 'mounting needs root on Linux', 'a full disk')('on a full disk', () => {
  let folder: TemporaryFolder;
  let disk: string;

  beforeAll(() => {
    folder = temporaryFolder();
    disk = folder.file('disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'weir-spec', disk]);
  });
  afterAll(async () => {
    execFileSync('umount', [disk]);
    await folder.remove();
  });

  it('returns false until there is space again', async () => {
    const check = createStorageCheck([folder.path, disk]);
    const filler = folder.file('disk', 'filler');

    await expect(check()).resolves.toBe(true);
    writeFileSync(filler, Buffer.alloc(3.5 * 1024 * 1024));
    await expect(check()).resolves.toBe(false);
    rmSync(filler);
    await expect(check()).resolves.toBe(true);
  });
});
