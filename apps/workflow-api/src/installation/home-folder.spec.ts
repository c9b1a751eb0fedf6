import { stat, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { prepareHome } from './home-folder';

describe('prepareHome', () => {
  let folder: TemporaryFolder;

  beforeEach(() => {
    folder = temporaryFolder();
  });

  afterEach(() => folder.remove());

  it('creates a missing folder that only its owner can enter', async () => {
    await prepareHome(folder.file('a', 'home'));
    expect((await stat(folder.file('a', 'home'))).mode & 0o777).toBe(0o700);
  });

  it('leaves an existing folder unchanged', async () => {
    const { mode } = await stat(folder.path);
    await prepareHome(folder.path);
    expect((await stat(folder.path)).mode).toBe(mode);
  });

  it('refuses a file at its path, naming the folder and the variable', async () => {
    await writeFile(folder.file('home'), '');
    await expect(prepareHome(folder.file('home'))).rejects.toMatchObject({
      reason: 'home_unusable',
      message: expect.stringMatching(/home \(WEIR_HOME\) cannot be written to/) as string,
    });
  });
});
