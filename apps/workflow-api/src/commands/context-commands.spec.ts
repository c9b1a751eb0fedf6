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

/** Starts a server with an API key of an operator. */
async function startServer() {
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
  return { server, url, key };
}

describe('weir login', () => {
  it('stores a key that the server accepts, but none that it refuses', async () => {
    const { server, url, key } = await startServer();
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

describe('with a context', () => {
  it('weir validate checks files by the rules of its server, doctor the connection, and config shows both', async () => {
    const { server, url, key } = await startServer();
    await writeFile(
      there.home().file('base.yaml'),
      'actions: {greet: {input_schema: {type: object}, template: {run: "echo hello"}}}\n',
    );
    await run('context', 'add', 'prod', '--url', url, '--api-key', key);
    const prod = async (...words: readonly string[]) => {
      const result = await run('--context', 'prod', ...words);
      expect(result.out + result.errors).not.toContain(key);
      return result;
    };

    await writeFile(home().file('greet.yaml'), 'steps: [{action: greet}]\n---\nname: child\nsteps: [{run: "true"}]\n');
    await expect(run('validate', 'greet.yaml')).resolves.toMatchObject({ exitCode: 1 });
    await expect(prod('validate', 'greet.yaml')).resolves.toMatchObject({ out: 'ok: 1 file, 2 DAGs, 2 steps' });
    await writeFile(home().file('bad.yaml'), 'stepz: 1\n');
    const local = await run('validate', 'bad.yaml', 'none.yaml');
    await expect(prod('validate', 'bad.yaml', 'none.yaml')).resolves.toEqual(local);
    const byVariable = begin(['validate', '--format', 'json', 'greet.yaml'], { WEIR_CONTEXT: 'prod' });
    await expect(byVariable.exitCode).resolves.toBe(0);
    expect(JSON.parse(byVariable.out())).toMatchObject({ files: [{ file: 'greet.yaml', valid: true, findings: [] }] });

    const doctor = await prod('doctor');
    expect(doctor.exitCode).toBe(0);
    expect(doctor.out).toMatch(/server +ok +1\.2\.3; roles: api, scheduler, worker\n/);
    expect(doctor.out).toMatch(/clock +ok /);
    expect(doctor.out).toMatch(/permissions +ok +role operator; starts runs: without a workspace; changes DAGs: no;/);
    const config = JSON.parse((await prod('config', '--format', 'json')).out) as unknown;
    expect(config).toMatchObject({
      context: { name: 'prod', url: `${url}/api/v1`, hasApiKey: true },
      user: { username: 'apikey:laptop', role: 'operator' },
      server: { version: '1.2.3' },
    });
    await run('context', 'add', 'prod', '--url', url, '--api-key', 'weir_wrong');
    const refused = await prod('doctor');
    expect(refused.out).toMatch(/sign-in +failed +the server refuses the API key; "weir login/);
    expect(refused.exitCode).toBe(1);
    server.signals.emit('SIGTERM', 'SIGTERM');
    await server.exitCode;
    const gone = await prod('doctor');
    expect(gone.out).toMatch(/server +failed +does not answer as a Weir server: .*fetch failed/);
    expect(gone.exitCode).toBe(1);
  });
});

describe('a command with --context', () => {
  it.each([
    ['an unknown context', ['--context', 'none', 'ps'], 'There is no context "none"'],
    ['a command of this machine', ['convert', '--context', 'a', 'x.yaml'], 'convert works on this machine'],
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
    await expect(dry.exitCode).resolves.toBe(0);
    expect(dry.out()).toBe('only-there: dry run, nothing is executed\nsteps:\n  1. a: command');
    await expect(remote('dry', 'mine.yaml', '--format', 'json', '--', 'x=1')).resolves.toEqual(
      await run('dry', 'mine.yaml', '--format', 'json', '--', 'x=1'),
    );
    await expect(remote('dry', 'mine.yaml', '--', 'y=1')).resolves.toEqual(await run('dry', 'mine.yaml', '--', 'y=1'));
    await writeFile(home().file('bad.yaml'), 'stepz: 1\nsteps: 5\n');
    await expect(remote('dry', 'bad.yaml')).resolves.toEqual(await run('dry', 'bad.yaml'));
    await expect(remote('dry', 'mine.yaml', '--trigger-type', 'manual')).resolves.toMatchObject({ exitCode: 1 });
    const byVariable = begin(['start', 'only-there', '-r', 'three'], { WEIR_CONTEXT: 'other' });
    await expect(byVariable.exitCode).resolves.toBe(0);
    await run('context', 'use', 'other');
    await expect(run('status', 'only-there', '-r', 'three')).resolves.toMatchObject({
      out: expect.stringContaining('succeeded') as string,
    });
    await expect(run('--context', 'local', 'status', 'only-there')).resolves.toMatchObject({ exitCode: 1 });
    await run('context', 'use', 'local');
    await expect(remote('doctor')).resolves.toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/sign-in +ok +disabled;.*\n.*role admin/) as string,
    });
    await expect(remote('config')).resolves.toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/user +none, sign-in is disabled/) as string,
    });
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
