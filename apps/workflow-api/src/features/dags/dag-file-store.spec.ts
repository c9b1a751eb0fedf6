import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { systemRandom } from '../../adapters/random-source';
import { withoutPrivileges } from '../../testing/without-privileges';
import { createDagFileStore } from './dag-file-store';

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = temporaryFolder();
  await chmod(folder.path, 0o755);
});
afterEach(() => folder.remove());

const text = 'steps: []\n';
const createStore = () => createDagFileStore({ folder: folder.path, random: systemRandom });

describe('a file that cannot be read', () => {
  it.each([
    ['a link in a circle', 'bad.yaml', 'ELOOP'],
    ['a link to a name that is too long', 'x'.repeat(300), 'ENAMETOOLONG'],
    ['a link through a file', 'notes.txt/bad', 'ENOTDIR'],
  ])('is unreadable when it is %s', async (_, target, code) => {
    await writeFile(folder.file('notes.txt'), text);
    await symlink(target, folder.file('bad.yaml'));

    await expect(createStore().get('bad')).resolves.toMatchObject({
      kind: 'unreadable',
      fileName: 'bad',
      filePath: folder.file('bad.yaml'),
      problem: `the file cannot be read (${code})`,
    });
  });

  it('is unreadable without the permission to read it, and read once that is granted', async () => {
    await writeFile(folder.file('secret.yaml'), text);
    await chmod(folder.file('secret.yaml'), 0o000);
    const store = createStore();

    const file = await withoutPrivileges(() => store.get('secret'));
    expect(file).toMatchObject({ kind: 'unreadable', problem: 'the file may not be read' });
    await chmod(folder.file('secret.yaml'), 0o644);
    await expect(store.readMark('secret')).resolves.not.toBe(file.mark);
    await expect(withoutPrivileges(() => store.get('secret'))).resolves.toMatchObject({ kind: 'text', text });
  });

  it('is unreadable in a folder that may be listed but not searched', async () => {
    await writeFile(folder.file('there.yaml'), text);
    await chmod(folder.path, 0o744);
    const store = createStore();

    await expect(withoutPrivileges(() => store.get('there'))).resolves.toMatchObject({ kind: 'unreadable' });
    await expect(withoutPrivileges(() => store.readMark('there'))).resolves.toBeUndefined();
    await expect(withoutPrivileges(() => store.get('nothing'))).rejects.toMatchObject({ reason: 'dag_not_found' });
  });

  it('does not exist when it is a folder, a link to nothing, or the DAGs folder is no folder', async () => {
    await mkdir(folder.file('sub.yaml'));
    await symlink('nowhere', folder.file('link.yaml'));
    await writeFile(folder.file('file'), '');
    const misplaced = createDagFileStore({ folder: folder.file('file'), random: systemRandom });

    await expect(createStore().read('sub')).resolves.toBeUndefined();
    await expect(createStore().read('link')).resolves.toBeUndefined();
    await expect(misplaced.read('any')).resolves.toBeUndefined();
  });
});

describe('create in a folder that cannot be written to', () => {
  const notWritable = { code: 'unavailable', reason: 'dags_folder_not_writable' };

  it('refuses a folder that is read-only, and leaves no files', async () => {
    await expect(withoutPrivileges(() => createStore().create('made', text))).rejects.toMatchObject({
      ...notWritable,
      message: `The DAGs folder ${folder.path} cannot be written to (EACCES).`,
    });
    await expect(readdir(folder.path)).resolves.toEqual([]);
  });

  it('refuses a folder that may not be opened after the write, and leaves no files', async () => {
    await chmod(folder.path, 0o733);

    await expect(withoutPrivileges(() => createStore().create('made', text))).rejects.toMatchObject(notWritable);
    await expect(readdir(folder.path)).resolves.toEqual([]);
  });

  it('refuses a file at the path of the folder', async () => {
    await rm(folder.path, { recursive: true });
    await writeFile(folder.path, text);

    await expect(createStore().create('made', text)).rejects.toMatchObject(notWritable);
  });
});
