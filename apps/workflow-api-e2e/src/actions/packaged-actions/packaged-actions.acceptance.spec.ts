import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { startGitHost, temporaryFolder } from '@weir/test-kit';
import { describeFixtures } from '../../support/fixtures';
import { runWeir } from '../../support/weir-command';

describeFixtures('mistakes in packaged actions', __dirname);

const manifest = (more: object = {}) =>
  JSON.stringify({
    apiVersion: 'v1alpha1',
    name: 'notify',
    dag: 'dags/action.yaml',
    inputs: { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 2 } } },
    outputs: { type: 'object', required: ['said'], properties: { said: { type: 'string' } } },
    ...more,
  });

const action = `type: chain
params: [{name: text, type: string}]
steps:
  - id: say
    run: sh scripts/say.sh "\${params.text}"
    output: HEARD
  - action: outputs.write
    with: {values: {said: "\${HEARD}"}}
`;

describe('packaged actions', () => {
  const home = temporaryFolder();
  const sources = home.file('sources');
  const work = home.file('work');
  const bare = path.join(sources, 'acme', 'notify.git');

  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: work,
      encoding: 'utf8',
    });
  function write(name: string, text: string): void {
    mkdirSync(path.dirname(path.join(work, name)), { recursive: true });
    writeFileSync(path.join(work, name), text);
  }
  function publish(tag: string): string {
    git('add', '-A');
    git('commit', '--quiet', '--allow-empty', '-m', tag);
    git('tag', '--force', '-a', tag, '-m', tag);
    git('push', '--quiet', '--force', bare, 'HEAD:refs/heads/main', tag);
    return git('rev-parse', 'HEAD').trim();
  }

  beforeAll(() => {
    for (const folder of [work, path.dirname(bare)]) mkdirSync(folder, { recursive: true });
    execFileSync('git', ['init', '--quiet', '--bare', bare]);
    git('init', '--quiet', '--initial-branch=main');
    write('dagu-action.yaml', manifest());
    write('dags/action.yaml', action);
    write('scripts/say.sh', 'echo "heard $1 in $(basename "$(pwd)" | cut -c 1-10)"\n');
    chmodSync(path.join(work, 'scripts/say.sh'), 0o755);
    publish('v1.0.0');
  });
  afterAll(async () => {
    execFileSync('chmod', ['-R', 'u+w', home.path]);
    await home.remove();
  });

  const env = { WEIR_ACTIONS_SOURCE: sources };
  const weir = (...args: readonly string[]) => runWeir(args, { home, env });
  function file(name: string, dag: object): string {
    writeFileSync(
      home.file(name),
      `# kept\n${JSON.stringify({ type: 'chain', ...dag }, null, 1).replace(/^\{\n/, '{\n')}\n`,
    );
    return home.file(name);
  }
  const call = (settings: object, reference = 'acme/notify@v1.0.0') => ({
    id: 'tell',
    action: reference,
    with: settings,
  });

  it('are locked by commit and contents, run in their folder, and publish the outputs of their run', async () => {
    const dag = file('first.yaml', {
      params: 'WHO=world',
      steps: [call({ text: 'hello ${params.WHO}' }), 'echo "it said ${tell.outputs.said}"'],
    });
    expect(await weir('start', dag)).toMatchObject({ code: 1 });
    const locked = await weir('lock', dag);
    expect(locked).toMatchObject({ code: 0, stderr: '' });
    expect(locked.stdout).toContain(`acme/notify@v1.0.0 is ${git('rev-parse', 'HEAD').trim()}`);
    expect(readFileSync(dag, 'utf8')).toMatch(/^# kept\n/);
    expect(await weir('lock', '--check', dag)).toMatchObject({ code: 0 });
    const { code, stdout } = await weir('start', dag);
    expect(stdout).toContain('succeeded');
    expect(code).toBe(0);
    expect((await weir('logs', 'first')).stdout).toContain('it said heard hello world in notify-');
  });

  it('stay at their locked version when the tag moves, without the source, and after a step has changed them', async () => {
    const dag = file('first.yaml', { steps: [call({ text: 'again' }), 'echo "it said ${tell.outputs.said}"'] });
    await weir('lock', dag);
    write('scripts/say.sh', 'echo "another $1"\n');
    publish('v1.0.0');
    expect((await weir('lock', '--check', dag)).stderr).toContain('not what the versions are now');
    const packages = home.file('weir', 'packages');
    const [folder = ''] = readdirSync(packages);
    expect(statSync(path.join(packages, folder, 'scripts/say.sh')).mode & 0o777).toBe(0o555);
    renameSync(bare, `${bare}.away`);
    expect(await weir('start', dag)).toMatchObject({ code: 0 });
    renameSync(`${bare}.away`, bare);
    execFileSync('chmod', ['-R', 'u+w', path.join(packages, folder)]);
    writeFileSync(path.join(packages, folder, 'scripts/say.sh'), 'echo changed\n');
    expect(await weir('start', dag)).toMatchObject({ code: 0 });
    expect((await weir('logs', 'first')).stdout).toContain('it said heard again in');
    expect(await weir('lock', dag)).toMatchObject({ code: 0 });
    expect(await weir('start', dag)).toMatchObject({ code: 0 });
    expect((await weir('logs', 'first')).stdout).toContain('it said another again');
  });

  it('are refused when the contents of the commit differ from the lock', async () => {
    const dag = file('other.yaml', { steps: [call({ text: 'hi' })] });
    await weir('lock', dag);
    writeFileSync(dag, readFileSync(dag, 'utf8').replace(/sha256:[0-9a-f]{64}/, `sha256:${'0'.repeat(64)}`));
    const { code, stdout } = await weir('start', dag);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'The action "acme/notify@v1.0.0" was not fetched: its contents are not those that are locked.',
    );
  });

  it('refuse an input and an output that their manifest does not allow', async () => {
    const dag = file('refused.yaml', { steps: [call({ text: 'x' })] });
    await weir('lock', dag);
    expect((await weir('start', dag)).stdout).toContain('Refused is the input of "acme/notify@v1.0.0": /text');
    write('dags/action.yaml', 'params: [{name: text}]\nsteps: ["true"]\n');
    publish('v2.0.0');
    const silent = file('silent.yaml', { steps: [call({ text: 'hello' }, 'acme/notify@v2.0.0')] });
    await weir('lock', silent);
    expect((await weir('start', silent)).stdout).toContain('Refused is the outputs of "acme/notify@v2.0.0"');
  });

  it.each([
    ['a link', () => symlinkSync('/etc/passwd', path.join(work, 'link')), 'it holds a link.'],
    ['no manifest', () => rmSync(path.join(work, 'dagu-action.yaml')), 'it has no dagu-action.yaml.'],
    ['a DAG outside', () => write('dagu-action.yaml', manifest({ dag: '../x.yaml' })), 'must be a relative path'],
    ['an unknown key', () => write('dagu-action.yaml', manifest({ steps: [] })), 'has the unknown key "steps"'],
  ])('with %s are refused', async (_, change, message) => {
    change();
    const commit = publish('broken');
    const dag = file('broken.yaml', { steps: [call({ text: 'hello' }, `source:file://${bare}@${commit}`)] });
    const locked = await weir('lock', dag);
    const { stdout } = locked.code === 0 ? await weir('start', dag) : { stdout: locked.stderr };
    expect(stdout).toContain(message);
    rmSync(path.join(work, 'link'), { force: true });
    write('dagu-action.yaml', manifest());
  });

  it('are fetched over HTTP with a token that no other address receives, and with the locked contents', async () => {
    const host = await startGitHost({ root: sources, user: 'x-access-token', password: 'deploy-token' });
    const other = await startGitHost({ root: sources, user: 'nobody', password: 'nothing' });
    try {
      write('dags/action.yaml', action);
      publish('v3');
      writeFileSync(home.file('token'), 'deploy-token\n');
      const source = host.url('').replace(/\/$/, '');
      const over = (more: Readonly<Record<string, string>> = {}) => ({
        home,
        env: { WEIR_HOME: home.file('over-http'), WEIR_ACTIONS_SOURCE: source, ...more },
      });
      const withToken = over({ WEIR_ACTIONS_TOKEN_FILE: home.file('token') });
      const dag = file('http.yaml', { steps: [call({ text: 'hello' }, 'acme/notify.git@v3')] });
      expect((await runWeir(['lock', dag], over())).stderr).toContain('was not fetched: git has failed');
      expect(await runWeir(['lock', dag], withToken)).toMatchObject({ code: 0, stderr: '' });
      const text = readFileSync(dag, 'utf8');
      writeFileSync(dag, text.replace(/sha256:[0-9a-f]{64}/, `sha256:${'0'.repeat(64)}`));
      expect((await runWeir(['start', dag], withToken)).stdout).toContain(
        'its contents are not those that are locked.',
      );
      writeFileSync(dag, text);
      expect(await runWeir(['start', dag], withToken)).toMatchObject({ code: 0 });
      const overHttp = { ...withToken.env, WEIR_ACTIONS_SOURCE: 'http://git.example.test' };
      expect((await runWeir(['lock', dag], { home, env: overHttp })).stderr).toContain('its address is not https');
      const elsewhere = file('elsewhere.yaml', {
        steps: [call({ text: 'hello' }, `source:${other.url('acme/notify.git')}@v3`)],
      });
      expect((await runWeir(['lock', elsewhere], withToken)).code).toBe(1);
      const redirectTo = `http://localhost:${other.port}`;
      const moved = await startGitHost({ root: '/', user: '', password: '', redirectTo });
      const toMoved = { ...withToken.env, WEIR_ACTIONS_SOURCE: moved.url('').replace(/\/$/, '') };
      expect((await runWeir(['lock', dag], { home, env: toMoved })).code).toBe(1);
      await moved.close();
      expect(other.credentials).toEqual([]);
      expect(new Set(host.credentials)).toEqual(new Set(['x-access-token:deploy-token']));
    } finally {
      await host.close();
      await other.close();
    }
  });

  it('report missing parts of the source', async () => {
    const dag = file('missing.yaml', {
      steps: [call({}, 'acme/notify@v9'), call({}, 'acme/nothing@v1')].map((step, index) => ({
        ...step,
        id: `s_${index}`,
      })),
    });
    expect((await weir('lock', dag)).stderr).toContain('The action "acme/nothing@v1" was not fetched: git has failed');
    const other = file('missing.yaml', { steps: [call({}, 'acme/notify@v9')] });
    expect((await weir('lock', other)).stderr).toContain('its repository has no such version.');
    expect(existsSync(home.file('weir', 'packages'))).toBe(true);
    expect(readdirSync(home.file('weir', 'packages')).filter((name) => name.startsWith('.fetch-'))).toEqual([]);
  });
});
