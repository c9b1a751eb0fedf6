import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { createSetupWorkspace, until, type SetupWorkspace } from './setup-workspace';

jest.setTimeout(60_000);

describe('the set-up', () => {
  let workspace: SetupWorkspace;

  beforeEach(() => {
    workspace = createSetupWorkspace();
  });

  afterEach(async () => {
    await workspace.stop();
  });

  const setup = () => workspace.run('setup.mjs').finished;
  const calls = (command: string) => workspace.npmCalls().filter((call) => call === command).length;
  const locks = () => readdirSync(path.join(workspace.folder, '.runtime')).filter((name) => name.includes('lock'));

  it('installs, generates and builds in a fresh checkout', async () => {
    const { code, stderr } = await setup();

    expect(stderr).toContain('installing dependencies, about a minute: done (');
    expect(code).toBe(0);
    expect(workspace.npmCalls()).toEqual(['ci', 'generate', 'build']);
  });

  it('does nothing when everything is there', async () => {
    await setup();
    const { stderr } = await setup();

    expect(workspace.npmCalls()).toEqual(['ci', 'generate', 'build']);
    expect(stderr).toMatch(/^weir: ready, with Node v\d+\S+ \(.+\)\n$/);
  });

  it('installs, generates and builds again when the lockfile changes', async () => {
    await setup();
    workspace.write('package-lock.json', '{"name":"changed"}');
    await setup();

    expect(workspace.npmCalls()).toEqual(['ci', 'generate', 'build', 'ci', 'generate', 'build']);
  });

  it.each([
    ['apps/workflow-api/src/main.ts', ['build']],
    ['packages/workflow-db/prisma/models/user.prisma', ['generate', 'build']],
  ])('does again only what depends on %s', async (file, expected) => {
    await setup();
    workspace.write(file, 'changed');
    utimesSync(path.join(workspace.folder, file), new Date(), new Date(Date.now() + 60_000));
    await setup();

    expect(workspace.npmCalls().slice(3)).toEqual(expected);
  });

  it('builds again when the built server was removed', async () => {
    await setup();
    workspace.remove('apps/workflow-api/dist');
    await setup();

    expect(workspace.npmCalls().slice(3)).toEqual(['build']);
  });

  it('says in one line why an install failed and where its log is', async () => {
    workspace.write('fail-ci', '');
    const { code, stderr } = await setup();

    const lines = stderr.trimEnd().split('\n');
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(/^weir: installing dependencies failed: the package registry cannot be reached; .+/);
    expect(lines.at(-1)).toContain('(full log: .runtime/logs/install.log)');
    expect(readFileSync(path.join(workspace.folder, '.runtime/logs/install.log'), 'utf8')).toContain('ENOTFOUND');
  });

  it('installs again after a failed install', async () => {
    workspace.write('fail-ci', '');
    await setup();
    workspace.remove('fail-ci');
    const { code } = await setup();

    expect(code).toBe(0);
    expect(calls('ci')).toBe(2);
  });

  it('leaves neither a lock nor a finished install behind when it is interrupted', async () => {
    workspace.write('hold-ci', '');
    const interrupted = workspace.run('setup.mjs');
    await until('the install', () => calls('ci') === 1);
    interrupted.child.kill('SIGTERM');

    expect((await interrupted.finished).code).toBe(143);
    expect(locks()).toEqual([]);
    workspace.remove('hold-ci');
    expect((await setup()).code).toBe(0);
    expect(calls('ci')).toBe(2);
  });

  it('installs once when two set-ups run at the same time', async () => {
    workspace.write('hold-ci', '');
    const first = workspace.run('setup.mjs');
    await until('the install', () => calls('ci') === 1);
    const second = workspace.run('setup.mjs');
    let waiting = '';
    second.child.stderr?.on('data', (chunk: string) => (waiting += chunk));
    await until('the waiting line', () => waiting.includes(`process ${String(first.child.pid)} is doing`));
    workspace.remove('hold-ci');

    expect((await first.finished).code).toBe(0);
    expect((await second.finished).code).toBe(0);
    expect(calls('ci')).toBe(1);
  });

  it('takes over the lock of a set-up that was killed', async () => {
    workspace.write('hold-ci', '');
    const killed = workspace.run('setup.mjs');
    await until('the install', () => calls('ci') === 1);
    killed.child.kill('SIGKILL');
    await killed.finished;
    expect(locks()).toEqual(['setup.lock']);
    workspace.remove('hold-ci');

    expect((await setup()).code).toBe(0);
    expect(locks()).toEqual([]);
  });

  it('refuses a folder that is no whole checkout', async () => {
    workspace.remove('package-lock.json');

    expect(await setup()).toMatchObject({
      code: 1,
      stderr: 'weir: package-lock.json is missing; this is no whole checkout\n',
    });
    expect(existsSync(path.join(workspace.folder, 'node_modules'))).toBe(false);
  });
});

describe('npm start', () => {
  let workspace: SetupWorkspace;

  beforeEach(() => {
    workspace = createSetupWorkspace();
  });

  afterEach(async () => {
    await workspace.stop();
  });

  it('passes arguments on, stops the server once per signal and ends with its exit code', async () => {
    const start = workspace.run('start.mjs', '--dags', 'examples');
    await start.prints('ready');
    start.child.kill('SIGTERM');
    start.child.kill('SIGTERM');
    const { code, stdout } = await start.finished;

    expect(stdout).toBe('args start-all --dags examples\nready\nstopping\n');
    expect(code).toBe(7);
  });

  it('stops the server when it is killed itself', async () => {
    const start = workspace.run('start.mjs');
    await start.prints('ready');
    start.child.kill('SIGKILL');
    const { stdout } = await start.finished;

    expect(stdout).toContain('stopping');
  });
});
