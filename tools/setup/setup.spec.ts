import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createSetupWorkspace, until, type SetupWorkspace } from './setup-workspace';

jest.setTimeout(60_000);

let workspace: SetupWorkspace;

beforeEach(() => {
  workspace = createSetupWorkspace();
});
afterEach(() => workspace.stop());

describe('the set-up', () => {
  // The program that it finally runs is a file of the stand-in.
  const setUp = () => workspace.run('nx.mjs').finished;
  const installations = () => workspace.calls().filter((call) => call === 'ci').length;
  const lockNaming = (version: string) => JSON.stringify({ packages: { 'node_modules/left-pad': { version } } });

  it('installs in a fresh checkout, and says so', async () => {
    const { code, stdout, stderr } = await setUp();

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('weir: installing dependencies, about a minute …');
    expect(workspace.calls()).toEqual(['ci', 'build']);
  });

  it('installs nothing a second time', async () => {
    await setUp();

    expect(await setUp()).toMatchObject({ code: 0, stderr: '' });
    expect(installations()).toBe(1);
  });

  it('installs again when the lockfile names another version', async () => {
    workspace.write('package-lock.json', lockNaming('1.0.0'));
    await setUp();
    workspace.write('package-lock.json', lockNaming('2.0.0'));
    await setUp();

    expect(installations()).toBe(2);
  });

  it('installs again when a package of the workspace has no link', async () => {
    const packages = { 'packages/new': { version: '0.1.0' }, 'node_modules/@weir/new': { link: true } };
    await setUp();
    workspace.write('package-lock.json', JSON.stringify({ packages }));
    await setUp();

    expect(installations()).toBe(2);
  });

  it('ends with what npm says when an installation fails, and installs again the next time', async () => {
    workspace.write('fail-ci', '');
    const { code, stderr } = await setUp();

    expect(code).toBe(1);
    expect(stderr).toContain('npm error code ENOTFOUND');
    expect(stderr).toMatch(/weir: installing dependencies, about a minute failed, .*\n$/);
    workspace.remove('fail-ci');
    expect(await setUp()).toMatchObject({ code: 0 });
    expect(installations()).toBe(2);
  });

  it('leaves no finished installation behind when it is interrupted', async () => {
    workspace.write('hold-ci', '');
    const interrupted = workspace.run('nx.mjs');
    await until('the installation', () => installations() === 1);
    interrupted.child.kill('SIGTERM');

    expect((await interrupted.finished).code).toBe(1);
    workspace.remove('hold-ci');
    expect((await setUp()).code).toBe(0);
    expect(installations()).toBe(2);
  });

  it('installs once when two set-ups run at the same time', async () => {
    workspace.write('hold-ci', '');
    const runs = [workspace.run('nx.mjs'), workspace.run('nx.mjs')];
    await until('the installation', () => installations() === 1);
    workspace.remove('hold-ci');

    for (const { finished } of runs) expect((await finished).code).toBe(0);
    expect(installations()).toBe(1);
  });

  it('removes the lock of a set-up that was killed', async () => {
    workspace.write('hold-ci', '');
    const killed = workspace.run('nx.mjs');
    await until('the installation', () => installations() === 1);
    killed.child.kill('SIGKILL');
    await killed.finished;
    workspace.remove('hold-ci');

    expect((await setUp()).code).toBe(0);
    expect(readdirSync(path.join(workspace.folder, '.runtime'))).not.toContain('setup.lock');
  });
});

describe('npm start', () => {
  it('builds, passes arguments on, stops the server once per signal and ends with its exit code', async () => {
    const start = workspace.run('start.mjs', '--dags', 'examples');
    await start.prints('ready');
    start.child.kill('SIGTERM');
    start.child.kill('SIGTERM');
    const { code, stdout } = await start.finished;

    expect(stdout).toBe('args start-all --dags examples\nready\nstopping\n');
    expect(code).toBe(7);
    expect(workspace.calls()).toEqual(['ci', 'build']);
  });

  it('stops the server when it is killed itself', async () => {
    const start = workspace.run('start.mjs');
    await start.prints('ready');
    start.child.kill('SIGKILL');
    const { stdout } = await start.finished;

    expect(stdout).toContain('stopping');
    expect(existsSync(path.join(workspace.folder, '.runtime/setup.lock'))).toBe(false);
  });
});
