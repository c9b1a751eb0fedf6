import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import type { Secret } from '@weir/workflow-spec';
import { resolveSecrets } from './resolve-secrets';

let folder: TemporaryFolder;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const resolve = (provider: string, key: string, hostEnv: Readonly<Record<string, string>> = {}) =>
  resolveSecrets({ secrets: [{ name: 'TOKEN', kind: 'provider', provider, key }] }, { hostEnv, folder: folder.path });
const value = (text: string) => ({ values: new Map([['TOKEN', text]]) });
const problem = (text: string) => ({ problem: `The secret "TOKEN" cannot be used: ${text}.` });

describe('resolveSecrets', () => {
  it('does nothing without secrets', async () => {
    expect(await resolveSecrets({}, { hostEnv: {}, folder: '/' })).toEqual({ values: new Map() });
  });

  it('reads any variable of the server', async () => {
    expect(await resolve('env', 'NOT_ON_A_LIST', { NOT_ON_A_LIST: 'hunter22' })).toEqual(value('hunter22'));
    expect(await resolve('env', 'EMPTY', { EMPTY: '' })).toEqual(value(''));
  });

  it('does not read settings of the server', async () => {
    expect(await resolve('env', 'WEIR_JWT_SECRET', { WEIR_JWT_SECRET: 'hunter22' })).toEqual(
      problem('WEIR_JWT_SECRET is a setting of the server'),
    );
  });

  it.each(['MISSING', 'toString', '__proto__'])('reports that there is no variable %s', async (name) => {
    expect(await resolve('env', name)).toEqual(problem(`the server has no variable ${name}`));
  });

  it.each([
    ['without its last line end', 'one\ntwo\n', 'one\ntwo'],
    ['without a line end of Windows', 'one\r\n', 'one'],
    ['with further line ends', 'one\n\n', 'one\n'],
    ['without a line end', ' one ', ' one '],
  ])('reads a file %s', async (_, text, expected) => {
    await writeFile(folder.file('token'), text);

    expect(await resolve('file', 'token')).toEqual(value(expected));
    expect(await resolve('file', folder.file('token'))).toEqual(value(expected));
    expect(await resolve('file', '~/token', { HOME: folder.path })).toEqual(value(expected));
  });

  it('follows a link, because containers receive secrets as links', async () => {
    await writeFile(folder.file('data'), 'hunter22');
    await symlink('data', folder.file('token'));

    expect(await resolve('file', 'token')).toEqual(value('hunter22'));
  });

  it('refuses files that it cannot use', async () => {
    await mkdir(folder.file('folder'));
    await writeFile(folder.file('large'), 'x'.repeat(65_537));
    await writeFile(folder.file('binary'), Buffer.from([0x61, 0xff, 0x61]));

    expect(await resolve('file', 'missing')).toEqual(problem('there is no file "missing"'));
    expect(await resolve('file', 'folder')).toEqual(problem('"folder" is no regular file'));
    expect(await resolve('file', 'large')).toEqual(problem('the file "large" is larger than 65536 bytes'));
    expect(await resolve('file', 'binary')).toEqual(problem('the file "binary" is not UTF-8'));
  });

  it('refuses values that it could not hide', async () => {
    const tooShort = problem('it is shorter than 3 characters and could not be hidden');

    expect(await resolve('env', 'A', { A: 'ab' })).toEqual(tooShort);
    expect(await resolve('env', 'A', { A: ' a\n ' })).toEqual(tooShort);
    expect(await resolve('env', 'A', { A: 'ab\0cd' })).toEqual(problem('it contains a NUL character'));
  });

  it('refuses stores that are not set up', async () => {
    const secrets: readonly Secret[] = [{ name: 'TOKEN', kind: 'ref', ref: 'a/b' }];

    expect(await resolve('vault', 'kv/a')).toEqual(problem('this server has no settings for the provider vault'));
    expect(await resolveSecrets({ secrets }, { hostEnv: {}, folder: '/' })).toEqual(
      problem('this server stores no secrets'),
    );
  });

  it('asks the store of the server for a ref, in the workspace of the DAG', async () => {
    const secrets: readonly Secret[] = [{ name: 'TOKEN', kind: 'ref', ref: 'a/b' }];
    const readStored = (ref: string, workspace: string | undefined) =>
      Promise.resolve({ value: `${ref} of ${workspace ?? 'all'}` });
    const sources = { hostEnv: {}, folder: '/', readStored };

    expect(await resolveSecrets({ secrets, workspace: 'ops' }, sources)).toEqual(value('a/b of ops'));
    expect(await resolveSecrets({ secrets }, sources)).toEqual(value('a/b of all'));
  });

  it('limits the size of all secrets together', async () => {
    const secrets = Array.from({ length: 17 }, (_, index): Secret => {
      return { name: `S${index}`, kind: 'provider', provider: 'env', key: 'LARGE' };
    });
    const hostEnv = { LARGE: 'x'.repeat(65_536) };

    expect(await resolveSecrets({ secrets }, { hostEnv, folder: '/' })).toEqual({
      problem: 'The secrets are larger than 1048576 bytes together.',
    });
  });
});
