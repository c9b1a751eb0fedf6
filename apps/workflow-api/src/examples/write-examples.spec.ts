import { mkdir, readdir, stat } from 'node:fs/promises';
import { parseDag } from '@weir/workflow-spec';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { examples } from './examples';
import { writeExamples } from './write-examples';

describe('writeExamples', () => {
  let home: TemporaryFolder;

  beforeEach(() => {
    home = temporaryFolder();
  });
  afterEach(() => home.remove());

  it('creates the folder and leaves nothing else behind', async () => {
    await expect(writeExamples(home.file('new', 'dags'))).resolves.toBe(true);
    await expect(readdir(home.file('new', 'dags'))).resolves.toEqual(
      examples.map(({ fileName }) => `${fileName}.yaml`).toSorted(),
    );
    await expect(readdir(home.file('new'))).resolves.toEqual(['dags']);
  });

  it('closes the folder and its files to other users', async () => {
    await writeExamples(home.file('dags'));
    const [file = ''] = await readdir(home.file('dags'));

    expect((await stat(home.file('dags'))).mode & 0o777).toBe(0o700);
    expect((await stat(home.file('dags', file))).mode & 0o777).toBe(0o600);
  });

  it('leaves an existing folder alone, even an empty one', async () => {
    await mkdir(home.file('dags'));

    await expect(writeExamples(home.file('dags'))).resolves.toBe(false);
    await expect(readdir(home.path)).resolves.toEqual(['dags']);
    await expect(readdir(home.file('dags'))).resolves.toEqual([]);
  });
});

describe.each(examples)('the example $fileName', ({ fileName, spec }) => {
  it('has no findings', () => {
    const { findings } = parseDag(spec, { name: fileName });
    // What a function returns is known only at run time.
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });
});
