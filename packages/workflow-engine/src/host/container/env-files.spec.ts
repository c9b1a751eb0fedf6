import { mkdir, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { withEnvFiles } from './env-files';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = temporaryFolder();
  await writeFile(folder.file('a.env'), '# first\nA=1\nB="two words"\n');
  await writeFile(folder.file('b.env'), 'A=2\n');
  await writeFile(folder.file('bad.env'), 'A=1\nhunter2 is no assignment\n');
  await mkdir(folder.file('folder'));
});
afterEach(() => folder.remove());

const read = (...files: string[]) =>
  withEnvFiles({ image: 'app', env: ['B=3'], env_file: files }, { cwd: folder.path, env: { HOME: folder.path } });

describe('env_file of a container', () => {
  it('comes before env, the files in their order', async () => {
    expect(await read('a.env', '~/b.env')).toEqual({ image: 'app', env: ['A=1', 'B=two words', 'A=2', 'B=3'] });
  });

  it.each([
    ['none.env', 'env_file was not found.'],
    ['folder', 'env_file cannot be used: it is not a file.'],
    ['bad.env', 'env_file cannot be used: line 2: it is not NAME=value.'],
  ])('fails with %s, without its content', async (file, error) => {
    await expect(read('a.env', file)).rejects.toThrow(error);
  });

  it('is confined to the paths that are open to the step', async () => {
    const enclosure = {
      assertOpen: () => {
        throw new Error('closed');
      },
    };
    const call = { cwd: folder.path, env: {}, enclosure: enclosure as never };
    await expect(withEnvFiles({ image: 'app', env_file: ['a.env'] }, call)).rejects.toThrow('closed');
  });
});
