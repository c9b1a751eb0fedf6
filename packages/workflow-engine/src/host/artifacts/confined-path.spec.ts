import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { confinedPath } from './confined-path';

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = temporaryFolder();
  await mkdir(folder.file('root'));
  await mkdir(folder.file('outside'));
});
afterEach(() => folder.remove());

const look = (relative: string) => confinedPath(folder.file('root'), relative, { makesFolders: false });
const make = (relative: string) => confinedPath(folder.file('root'), relative, { makesFolders: true });

describe('confinedPath', () => {
  it.each([
    ['report.txt', 'report.txt'],
    ['./a//report.txt', 'a/report.txt'],
    ['a/b/..c', 'a/b/..c'],
  ])('finds %s below the folder', async (relative, expected) => {
    expect(await make(relative)).toEqual({ path: folder.file('root', expected) });
  });

  it('creates the folders on the way, accessible to their owner only', async () => {
    await make('a/b/report.txt');

    expect((await stat(folder.file('root', 'a', 'b'))).mode & 0o777).toBe(0o700);
  });

  it.each(['', '.', './'])('is the folder itself for "%s"', async (relative) => {
    expect(await look(relative)).toEqual({ path: folder.file('root') });
  });

  it.each(['../outside/x', 'a/../../x', '..', '/etc/passwd', '\\x', 'a\\..\\x', 'C:x', 'a\0b'])(
    'refuses %j',
    async (relative) => {
      expect(await make(relative)).toEqual({ problem: 'must be a relative path without ".."' });
    },
  );

  it('refuses a path through a link, even to a place inside', async () => {
    await symlink(folder.file('outside'), folder.file('root', 'out'));
    await mkdir(folder.file('root', 'real'));
    await symlink('real', folder.file('root', 'in'));

    expect(await make('out/x')).toEqual({ problem: 'leads through something that is no folder' });
    expect(await make('in/x')).toEqual({ problem: 'leads through something that is no folder' });
    expect(await make('out/deeper/x')).toEqual({ problem: 'leads through something that is no folder' });
  });

  it('refuses a path through a file', async () => {
    await writeFile(folder.file('root', 'file'), '');

    expect(await make('file/x')).toEqual({ problem: 'leads through something that is no folder' });
  });

  it('finds nothing below a missing folder', async () => {
    expect(await look('a/x')).toEqual({ problem: 'was not found (ENOENT)' });
    expect(await confinedPath(folder.file('none'), '', { makesFolders: false })).toEqual({
      problem: 'was not found (ENOENT)',
    });
  });

  it('limits the depth', async () => {
    expect(await make('a/'.repeat(101) + 'x')).toEqual({ problem: 'goes through more than 100 folders' });
  });
});
