import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createManualClock,
  describeUnless,
  missingForDockerEngine,
  startDockerEngine,
  temporaryFolder,
  waitFor,
  type TemporaryFolder,
  type TestDockerEngine,
} from '@weir/test-kit';
import type { JsonObject, LocalRun } from '@weir/workflow-spec';
import {
  createContainerExecutor,
  openRunContainer,
  type ContainerStep,
  type ContainerStepExecutor,
} from './container-executor';
import { removeRunContainers } from './remove-run-containers';

describeUnless(missingForDockerEngine(), 'nothing was executed in a container')('steps in containers', () => {
  let engine: TestDockerEngine;
  let folder: TemporaryFolder;
  let calls = 0;
  const runId = randomUUID();
  const clock = createManualClock();

  beforeAll(async () => {
    engine = await startDockerEngine();
    folder = temporaryFolder();
  }, 600_000);

  afterAll(async () => {
    await engine.stop();
    await folder.remove();
  }, 60_000);

  const settings = (more: JsonObject = {}): JsonObject => ({ image: engine.image, pull_policy: 'never', ...more });
  const own = (more?: JsonObject) =>
    createContainerExecutor({ settings: settings(more), dagName: 'boxed', runId, clock });
  const containers = (...options: string[]) => engine.docker('ps', '--all', '--quiet', ...options).trim();
  const script = (text: string): LocalRun => ({ kind: 'script', script: text });

  async function execute(
    executor: ContainerStepExecutor,
    changes: Partial<ContainerStep> & Pick<ContainerStep, 'run'>,
    signal = new AbortController().signal,
  ) {
    calls += 1;
    const [stdoutFile, stderrFile] = [folder.file(`${calls}.out`), folder.file(`${calls}.err`)];
    const env = { DOCKER_HOST: engine.host, HOME: folder.path, PATH: '/host' };
    const host = { cwd: folder.path, env, containerEnv: { GREETING: 'hello' }, stdoutFile, stderrFile };
    const outcome = await executor.execute(
      { shell: ['sh'], isStepShell: false, killGraceMs: 1_000, ...host, ...changes },
      { signal },
    );
    return { outcome, stdout: readFileSync(stdoutFile, 'utf8'), stderr: readFileSync(stderrFile, 'utf8') };
  }

  it('runs commands until one fails, with separate streams, and leaves no container', async () => {
    const run: LocalRun = {
      kind: 'commands',
      commands: ['echo "$GREETING $OF_IMAGE $PATH"', 'echo why >&2; exit 7', 'echo no'],
    };
    const { outcome, stdout, stderr } = await execute(own(), { run });

    expect(outcome).toMatchObject({ status: 'failed', exitCode: 7, error: 'exit status 7: why' });
    expect(stdout).toMatch(/^hello yes (?!\/host)/);
    expect(stderr).toBe('why\n');
    expect(containers()).toBe('');
  });

  it('executes a script with its arguments, which cannot read its own text', async () => {
    const run = script('cat\nfor word in "$@"; do echo "<$word>"; done\nfalse\necho not here');
    const { outcome, stdout } = await execute(own(), { run, args: ['a', 'b c'] });

    expect(stdout).toBe('<a>\n<b c>\n');
    expect(outcome).toMatchObject({ status: 'failed', exitCode: 1 });
  });

  it.each([
    ['the program of the first line', { run: script('#!/bin/cat\nwhole') }, '#!/bin/cat\nwhole'],
    ['the folder of the step', { run: script('pwd'), workingDir: '/tmp' }, '/tmp\n'],
    ['a shell of the step', { run: script('false\necho on'), shell: ['ash'], isStepShell: true }, 'on\n'],
  ])('uses %s', async (_, changes, stdout) => {
    expect(await execute(own(), changes)).toMatchObject({ stdout, outcome: { status: 'succeeded' } });
  });

  it.each([
    ['user and folder', { user: 'app', working_dir: '/tmp' }, 'id -un; pwd', 'app\n/tmp\n'],
    ['environment over that of the step', { env: ['GREETING=there'] }, 'echo $GREETING', 'there\n'],
    [
      'raw settings',
      { host: { ReadonlyRootfs: true }, container: { Hostname: 'h1' } },
      'hostname; touch /x 2>&1 || true',
      /^h1\n.*[Rr]ead-only/s,
    ],
    ['settings of the command', { exec: { User: 'app' } }, 'id -un', 'app\n'],
    [
      'a check of health',
      { wait_for: 'healthy', healthcheck: { test: 'test -e /tmp/up || touch /tmp/up', interval: 1 } },
      'ls /tmp',
      'up\n',
    ],
    [
      'a pattern of its log',
      { startup: 'command', command: ['sh', '-c', 'sleep 1; echo ready now; sleep 100'], log_pattern: 'ready n.w' },
      'echo on',
      'on\n',
    ],
  ])('respects %s', async (_, more, command, stdout) => {
    const found = await execute(own(more), { run: { kind: 'commands', commands: [command] } });

    expect(found.outcome).toMatchObject({ status: 'succeeded' });
    expect(found.stdout).toEqual(typeof stdout === 'string' ? stdout : expect.stringMatching(stdout));
  });

  it('mounts folders in addition to the file and keeps their written files', async () => {
    const { stdout } = await execute(own({ volumes: ['./data:/data'] }), {
      run: script('echo kept > /data/x; cat /data/x'),
    });

    expect(stdout).toBe('kept\n');
    expect(readFileSync(join(folder.path, 'data/x'), 'utf8')).toBe('kept\n');
  });

  it.each([
    [
      'an image that is not there',
      { image: 'nobody/nothing:1' },
      'The image does not exist locally, and pull_policy is never.',
    ],
    ['one that cannot be pulled', { image: 'localhost:1/x:1', pull_policy: 'always' }, 'The image cannot be pulled'],
    [
      'one that ends at once',
      // The pattern keeps the command from starting in the moment that the container runs.
      { startup: 'entrypoint', log_pattern: 'up' },
      'The container ended before the command could start.',
    ],
    ['one that is not healthy', { wait_for: 'healthy' }, 'The container is not healthy.'],
    ['settings that came out wrong', { ports: ['http'] }, 'container: '],
  ])('fails for %s, and leaves no container', async (_, more, error) => {
    const { outcome } = await execute(own(more), { run: script('echo') });

    expect(outcome.status).toBe('failed');
    expect(outcome.error).toContain(error);
    expect(containers()).toBe('');
  });

  it('fails when no engine answers', async () => {
    const env = { DOCKER_HOST: `unix://${folder.file('nobody.sock')}` };
    const { outcome } = await execute(own(), { run: script('echo'), env });

    expect(outcome.error).toBe(
      'No container engine can be reached (ENOENT). Is it running, and does DOCKER_HOST name it?',
    );
  });

  it('falls back to the local image', async () => {
    const { outcome } = await execute(own({ pull_policy: 'fallback' }), { run: script('true') });

    expect(outcome.status).toBe('succeeded');
  });

  it('signals the command when it is stopped, and kills it when it ignores the signal', async () => {
    const stop = new AbortController();
    const run = script("trap 'echo bye' TERM\necho up\nwhile :; do sleep 0.1 || true; done");
    const done = execute(own(), { run }, stop.signal);
    await waitFor(() => readFileSync(folder.file(`${calls}.out`), 'utf8').includes('up') || undefined, {
      deadlineMs: 20_000,
      what: 'the command',
    });
    stop.abort();
    const { outcome, stdout } = await done;

    expect(stdout).toBe('up\nbye\n');
    expect(outcome).toMatchObject({ status: 'aborted', exitCode: 137 });
    expect(containers()).toBe('');
  });

  it('uses one container for the steps of a run, until it is closed', async () => {
    const shared = openRunContainer({ settings: settings(), dagName: 'boxed', runId, clock });
    const all = await Promise.all(
      ['a', 'b'].map((name) => execute(shared.executor, { run: script(`echo ${name} > /tmp/${name}`) })),
    );
    const { stdout } = await execute(shared.executor, { run: script('ls /tmp') });
    const label = ['--filter', `label=weir.run=${runId}`];
    const during = containers(...label).split('\n').length;
    await shared.close();

    expect(all.map(({ outcome }) => outcome.status)).toEqual(['succeeded', 'succeeded']);
    expect({ stdout, during, after: containers() }).toEqual({ stdout: 'a\nb\n', during: 1, after: '' });
  });

  it('ends a stopped command in a container that keeps running', async () => {
    const shared = openRunContainer({ settings: settings(), dagName: 'boxed', runId, clock });
    const { outcome } = await execute(shared.executor, { run: script('sleep 300') }, AbortSignal.timeout(1_500));
    const { stdout } = await execute(shared.executor, { run: script('ps -o args | grep "^sleep 300" || echo none') });
    await shared.close();

    expect(outcome.status).toBe('aborted');
    expect(stdout).toBe('none\n');
  });

  it('reports a container that has ended before one of its commands', async () => {
    const shared = openRunContainer({ settings: settings({ name: 'brief' }), dagName: 'boxed', runId, clock });
    await execute(shared.executor, { run: script('true') });
    engine.docker('kill', 'brief');
    const { outcome } = await execute(shared.executor, { run: script('true') });
    await shared.close();

    expect(outcome).toMatchObject({ status: 'failed', error: 'The container ended before the command could start.' });
  });

  it('executes commands in an existing container, and does not remove it', async () => {
    engine.docker('run', '--detach', '--name', 'there', engine.image, 'sleep', '300');
    const { outcome, stdout } = await execute(
      createContainerExecutor({ settings: { exec: 'there' }, dagName: 'boxed', runId, clock }),
      {
        run: script('hostname'),
      },
    );
    const left = containers('--filter', 'name=there');
    engine.docker('rm', '--force', 'there');

    expect(outcome.status).toBe('succeeded');
    expect(left).not.toBe('');
    expect(left).toContain(stdout.trim());
  });

  it('keeps a container on request, stopped', async () => {
    await execute(own({ keep_container: true, name: 'kept' }), { run: script('true') });
    const state = engine.docker('inspect', '--format', '{{.State.Running}}', 'kept').trim();
    const again = await execute(own({ name: 'kept' }), { run: script('true') });
    const removed = await removeRunContainers({ dagName: 'boxed', runId }, { DOCKER_HOST: engine.host });
    engine.docker('rm', 'kept');

    expect({ state, removed }).toEqual({ state: 'false', removed: 0 });
    expect(again.outcome.error).toBe('A container of that name already exists (status 409).');
  });

  it('removes containers that a crash left behind', async () => {
    const shared = openRunContainer({ settings: settings(), dagName: 'boxed', runId: 'crashed', clock });
    await execute(shared.executor, { run: script('true') });

    expect(await removeRunContainers({ dagName: 'boxed', runId: 'crashed' }, { DOCKER_HOST: engine.host })).toBe(1);
    expect(containers()).toBe('');
  });
});
