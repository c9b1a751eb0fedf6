import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { localRunFiles } from '../../../run-files';
import { hasArtifacts, findRunsWithArtifacts } from './has-artifacts';

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = temporaryFolder();
  await mkdir(folder.file('run'));
});
afterEach(() => folder.remove());

const has = () => hasArtifacts(localRunFiles, { artifactsDir: folder.file('run') });

describe('hasArtifacts', () => {
  it('is false without a folder, without entries, and with links only', async () => {
    expect(await hasArtifacts(localRunFiles, { artifactsDir: null })).toBe(false);
    expect(await hasArtifacts(localRunFiles, { artifactsDir: folder.file('none') })).toBe(false);
    expect(await has()).toBe(false);
    await symlink('/etc', folder.file('run', 'link'));
    expect(await has()).toBe(false);
  });

  it('is true with a file, or a folder', async () => {
    await writeFile(folder.file('run', 'file'), '');
    expect(await has()).toBe(true);
  });
});

describe('findRunsWithArtifacts', () => {
  it('finds the runs that left artifacts among many', async () => {
    await writeFile(folder.file('run', 'file'), '');
    const runs = Array.from({ length: 40 }, (_, index) => ({
      id: String(index),
      artifactsDir: index % 20 === 0 ? folder.file('run') : null,
    }));

    expect([...(await findRunsWithArtifacts(localRunFiles, runs))]).toEqual(['0', '20']);
  });
});
