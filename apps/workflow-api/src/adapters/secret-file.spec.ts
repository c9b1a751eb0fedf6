import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { systemRandom } from './random-source';
import { loadOrCreateSecret } from './secret-file';

let folder: TemporaryFolder;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = folder.file('auth', 'token-secret');
});
afterEach(() => folder.remove());

const load = () => loadOrCreateSecret(file, systemRandom);
const readMode = async (name: string) => ((await stat(name)).mode & 0o777).toString(8);
const store = async (text: string) => {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
};

describe('loadOrCreateSecret', () => {
  it('creates a secret of 32 random bytes that only its owner can read', async () => {
    const secret = await load();

    expect(secret.reveal()).toMatch(/^[\w-]{43}$/);
    await expect(readFile(file, 'utf8')).resolves.toBe(secret.reveal());
    await expect(readMode(file)).resolves.toBe('600');
    await expect(readMode(path.dirname(file))).resolves.toBe('700');
  });

  it('returns the same secret at later calls', async () => {
    const first = await load();
    const second = await load();

    expect(second.reveal()).toBe(first.reveal());
  });

  it('returns one secret to all of 20 parallel calls and leaves no other files', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, load));

    expect(new Set(secrets.map((secret) => secret.reveal())).size).toBe(1);
    await expect(readdir(path.dirname(file))).resolves.toEqual(['token-secret']);
  });

  it('ignores files that a crash has left', async () => {
    await mkdir(path.dirname(file));
    await writeFile(`${file}.5a3c.tmp`, 'half a sec');
    const secret = await load();

    expect(secret.reveal()).toHaveLength(43);
    expect((await load()).reveal()).toBe(secret.reveal());
  });

  it('accepts a secret that a person wrote, without the line break at its end', async () => {
    await store(`${'s'.repeat(32)}\n`);
    expect((await load()).reveal()).toBe('s'.repeat(32));
  });

  it('closes a file that others could read', async () => {
    await store('s'.repeat(32));
    await chmod(file, 0o644);
    await load();

    await expect(readMode(file)).resolves.toBe('600');
  });

  it('leaves the mode of a closed file unchanged', async () => {
    await store('s'.repeat(32));
    await chmod(file, 0o400);
    await load();

    await expect(readMode(file)).resolves.toBe('400');
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \n'.repeat(40)],
    ['31 characters', 'x'.repeat(31)],
  ])('refuses a file that holds %s, and leaves it unchanged', async (_, text) => {
    await store(text);

    await expect(load()).rejects.toMatchObject({ code: 'unavailable', reason: 'secret_invalid' });
    await expect(readFile(file, 'utf8')).resolves.toBe(text);
  });

  it.each([
    ['a folder', () => mkdir(file)],
    ['a link to itself', () => symlink(file, file)],
  ])('names the file when it is %s', async (_, make) => {
    await mkdir(path.dirname(file));
    await make();
    const error = {
      code: 'unavailable',
      reason: 'secret_unreadable',
      message: expect.stringContaining(file) as string,
    };

    await expect(load()).rejects.toMatchObject(error);
  });

  it('names the file when it cannot be stored', async () => {
    await mkdir(path.dirname(file));
    await symlink(folder.file('nowhere'), file);

    await expect(load()).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'secret_unwritable',
      message: expect.stringContaining(file) as string,
    });
    await expect(readdir(path.dirname(file))).resolves.toEqual(['token-secret']);
  });

  it('names the file when its folder is not a folder', async () => {
    await writeFile(folder.file('auth'), 'a file in the place of the folder');
    await expect(load()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(file) as string,
    });
  });
});
