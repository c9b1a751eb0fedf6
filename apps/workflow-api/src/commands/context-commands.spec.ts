import { stat, writeFile } from 'node:fs/promises';
import { waitFor } from '@weir/test-kit';
import { useCommands } from './testing/use-commands';

const here = useCommands();
const there = useCommands();
const { home, run, begin } = here;

describe('weir context', () => {
  it('stores servers for their owner only, and never shows a key', async () => {
    await writeFile(home().file('key'), 'secret-key\n');
    await run('context', 'add', 'prod', '--url', 'https://weir.example.com/', '--api-key-file', 'key');
    await run('context', 'add', 'local2', '--url', 'http://127.0.0.1:9');
    const { out } = await run('context', 'ls');

    expect(out.split('\n').map((line) => line.split(/\s+/).slice(0, 3).join(' '))).toEqual([
      'CONTEXT URL API',
      'prod https://weir.example.com/api/v1 yes',
      'local2 http://127.0.0.1:9/api/v1 no',
    ]);
    expect((await stat(home().file('contexts.json'))).mode & 0o777).toBe(0o600);
    await expect(run('context', 'rm', 'prod')).resolves.toMatchObject({
      exitCode: 0,
      out: 'prod: removed; its API key is still valid on the server',
    });
    expect((await run('context', 'ls')).out).not.toContain('prod');
  });

  it('names the current one, which the variable overrides, and removes that with the context', async () => {
    await run('context', 'add', 'prod', '--url', 'https://weir.example.com/');
    await run('context', 'add', 'test', '--url', 'https://test.example.com/');
    const current = async (env: Readonly<Record<string, string>> = {}) => {
      const listed = begin(['context', 'list', '--format', 'json'], env);
      await listed.exitCode;
      const { contexts } = JSON.parse(listed.out()) as {
        readonly contexts: readonly { name: string; isCurrent: boolean }[];
      };
      return contexts.filter(({ isCurrent }) => isCurrent).map(({ name }) => name);
    };

    expect(await current()).toEqual([]);
    await expect(run('context', 'use', 'prod')).resolves.toMatchObject({
      out: 'prod: https://weir.example.com/api/v1',
    });
    expect(await current()).toEqual(['prod']);
    expect(await current({ WEIR_CONTEXT: 'test' })).toEqual(['test']);
    await expect(run('context', 'use', 'local')).resolves.toMatchObject({ out: 'local: this machine' });
    expect(await current()).toEqual([]);
    await run('context', 'use', 'prod');
    await run('context', 'rm', 'prod');
    expect(await current()).toEqual([]);
    await expect(run('ps')).resolves.toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['a key over plain http', ['add', 'a', '--url', 'http://weir.example.com', '--api-key', 'x'], 'over https only'],
    ['what is no address', ['add', 'a', '--url', 'weir'], 'begins with http'],
    ['a key in two lines', ['add', 'a', '--url', 'https://a', '--api-key', 'a\nb'], 'one word'],
    ['a name with blanks', ['add', 'a b', '--url', 'https://a'], 'The name of a context'],
    ['two keys', ['add', 'a', '--url', 'https://a', '--api-key', 'x', '--api-key-file', 'y'], 'not both'],
    ['the removal of what is not there', ['remove', 'none'], 'There is no context "none"'],
    ['the use of what is not there', ['use', 'none'], 'There is no context "none"'],
    ['the name of this machine', ['add', 'local', '--url', 'https://a'], '"local" stands for this machine'],
    ['the removal of this machine', ['rm', 'local'], '"local" stands for this machine'],
  ])('refuses %s', async (_, words, message) => {
    const { exitCode, errors } = await run('context', ...words);
    expect(exitCode).toBe(1);
    expect(errors).toContain(message);
  });
});

describe('weir login', () => {
  it('stores a key that the server accepts, but none that it refuses', async () => {
    const server = there.begin(['start-all', '--port', '0'], { WEIR_SKIP_EXAMPLES: 'true' });
    await waitFor(() => server.out().includes('Weir is up'), { what: 'the server' });
    const url = /http:\/\/[\d.]+:\d+/.exec(server.out())?.[0] ?? '';
    const post = async (path: string, body: object, token = '') => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const answer = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as { readonly token?: string; readonly key?: string };
    };
    const { token } = await post('/auth/setup', { username: 'admin', password: 'choose-a-good-one' });
    const { key = '' } = await post('/api-keys', { name: 'laptop', role: 'operator' }, token);
    await writeFile(home().file('wrong'), 'weir_wrong\n');
    await writeFile(home().file('right'), `${key}\n`);

    await expect(run('login', url, '--api-key-file', 'wrong')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('refuses this key') as string,
    });
    expect((await run('context', 'ls', '--format', 'json')).out).toBe('{"contexts":[]}');
    const { exitCode, out } = await run('login', url, '--api-key-file', 'right', '--name', 'prod');
    expect(out).toContain('weir context use local');
    expect(exitCode).toBe(0);
    await expect(run('ls')).resolves.toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('hello') as string,
    });
    await expect(run('login', url)).resolves.toMatchObject({
      errors: expect.stringContaining('--api-key-file') as string,
    });
    server.signals.emit('SIGTERM', 'SIGTERM');
    await server.exitCode;
  });
});

describe('a command with --context', () => {
  it.each([
    ['an unknown context', ['--context', 'none', 'ps'], 'There is no context "none"'],
    [
      'a command of this machine',
      ['validate', '--context', 'a', 'x.yaml'],
      'validate() works on this machine'.replace('()', ''),
    ],
  ])('refuses %s', async (_, words, message) => {
    const { exitCode, errors } = await run(...words);
    expect(exitCode).toBe(1);
    expect(errors).toContain(message);
  });

  it('uses the DAGs and runs of that server, and none of this machine', async () => {
    const server = there.begin(['start-all', '--port', '0'], { WEIR_AUTH_MODE: 'none', WEIR_SKIP_EXAMPLES: 'true' });
    await waitFor(() => server.out().includes('Weir is up'), { what: 'the server' });
    const url = /http:\/\/[\d.]+:\d+/.exec(server.out())?.[0] ?? '';
    await run('context', 'add', 'other', '--url', url);
    const remote = (...words: readonly string[]) => run('--context', 'other', ...words);
    await writeFile(there.home().file('dags', 'only-there.yaml'), 'steps: [{name: a, run: "true"}]\n');

    await writeFile(home().file('mine.yaml'), 'params: {x: 0}\nsteps: [{name: a, run: "test ${params.x} = 1"}]\n');

    await waitFor(async () => (await remote('ls')).out.includes('only-there'), { what: 'the DAG' });
    const started = await remote('start', 'only-there', '-r', 'one');
    expect(started).toMatchObject({ exitCode: 0, out: expect.stringContaining('only-there one: succeeded') as string });
    await expect(remote('start', 'mine.yaml', '--', 'x=1')).resolves.toMatchObject({ exitCode: 0 });
    await expect(remote('exec', '-N', 'once', '--', 'true')).resolves.toMatchObject({ exitCode: 0 });
    await expect(remote('enqueue', 'only-there', '-r', 'two')).resolves.toMatchObject({
      out: 'only-there two: queued',
    });
    await waitFor(async () => (await remote('status', '-r', 'two', 'only-there')).out.includes('succeeded'), {
      what: 'the queued run',
    });
    await expect(remote('restart', 'only-there', '-r', 'two')).resolves.toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('only-there') as string,
    });
    const dry = begin(['dry', 'only-there'], { WEIR_CONTEXT: 'other' });
    await expect(dry.exitCode).resolves.toBe(1);
    expect(dry.errors()).toContain('--context local');
    const byVariable = begin(['start', 'only-there', '-r', 'three'], { WEIR_CONTEXT: 'other' });
    await expect(byVariable.exitCode).resolves.toBe(0);
    await run('context', 'use', 'other');
    await expect(run('status', 'only-there', '-r', 'three')).resolves.toMatchObject({
      out: expect.stringContaining('succeeded') as string,
    });
    await expect(run('--context', 'local', 'status', 'only-there')).resolves.toMatchObject({ exitCode: 1 });
    await run('context', 'use', 'local');
    await expect(remote('start', 'only-there', '--trigger-type', 'scheduler')).resolves.toMatchObject({ exitCode: 1 });
    const { out } = await remote('history');
    expect(['only-there', 'mine', 'once'].filter((name) => !out.includes(name))).toEqual([]);
    expect((await run('history')).out).not.toContain('only-there');
    server.signals.emit('SIGTERM');
    await expect(server.exitCode).resolves.toBe(0);
  });

  it('reports that the server cannot be reached', async () => {
    await run('context', 'add', 'gone', '--url', 'http://127.0.0.1:9');
    const { exitCode, errors } = await run('--context', 'gone', 'ps');
    expect(exitCode).toBe(1);
    expect(errors).toContain('weir: ');
  });
});
