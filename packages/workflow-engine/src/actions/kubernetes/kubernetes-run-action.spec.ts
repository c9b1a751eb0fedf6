import { readFileSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '@weir/workflow-spec';
import { startClusterDouble, waitFor, type ClusterDouble, type FakeJob } from '@weir/test-kit';
import { actionFixture, type ActionFixture, type Ran, type RunOptions } from '../testing/action-fixture';
import { stepKey } from './job-manifest';

let fixture: ActionFixture;
let cluster: ClusterDouble;
let seen: Set<FakeJob>;
beforeEach(async () => {
  cluster = await startClusterDouble();
  seen = new Set();
  // Without the time between two looks at the job.
  const pause = async (_ms: number, signal: AbortSignal): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  };
  fixture = await actionFixture({ pause });
});
afterEach(async () => {
  await cluster.close();
  await fixture.remove();
});

function run(settings: JsonObject, options?: RunOptions): Promise<Ran> {
  const access = { server: cluster.url, token: cluster.token };
  return fixture.run('kubernetes.run', { image: 'alpine:3', ...access, ...settings }, options);
}

/** The next job that the double is asked for. */
async function nextJob(): Promise<FakeJob> {
  const job = await waitFor(() => [...cluster.jobs.values()].find((each) => !seen.has(each)), { what: 'a job' });
  seen.add(job);
  return job;
}

const published = ({ outcome }: Ran) =>
  Object.fromEntries((outcome.outputs?.declared ?? []).map(({ name, value }) => [name, value]));

it('runs a job, prints its logs and deletes it', async () => {
  const running = run({
    command: ['sh', '-c', 'echo $(HOME)'],
    env: { COST: 'a$(B)' },
    namespace: 'jobs',
    resources: { limits: { cpu: '500m' } },
    active_deadline: '1m',
    labels: { team: 'sales' },
  });
  const job = await nextJob();
  job.run();
  job.print('one\n');
  job.print('two\n');
  job.end(0);
  const ran = await running;

  expect(ran.outcome).toMatchObject({ status: 'succeeded', exitCode: 0 });
  expect(ran.stdout).toBe('one\ntwo\n');
  expect(published(ran)).toEqual({ job: job.name });
  expect(job.namespace).toBe('jobs');
  expect(job.manifest).toMatchObject({
    kind: 'Job',
    metadata: { labels: { team: 'sales', 'app.kubernetes.io/managed-by': 'weir' } },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: 60,
      ttlSecondsAfterFinished: 3600,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [
            {
              name: 'main',
              image: 'alpine:3',
              command: ['sh', '-c', 'echo $(HOME)'],
              env: [{ name: 'COST', value: 'a$$(B)' }],
              resources: { limits: { cpu: '500m' } },
            },
          ],
        },
      },
    },
  });
  expect(cluster.jobs.size).toBe(0);
});

it.each([
  ['an exit code', 3, {}, 'exit status 3'],
  ['too little memory', 137, { reason: 'OOMKilled' }, 'exit status 137: OOMKilled'],
  ['the deadline of the job', 143, { failure: 'DeadlineExceeded' }, 'exit status 143: DeadlineExceeded'],
])('fails on %s', async (_, exitCode, options, error) => {
  const running = run({ command: 'false' });
  const job = await nextJob();
  job.run();
  job.end(exitCode, options);

  expect((await running).outcome).toEqual({ status: 'failed', exitCode, error });
  expect(cluster.jobs.size).toBe(0);
});

it('reads the rest of the logs after a lost connection, without duplicates', async () => {
  const stdoutFile = fixture.path('logs/mine.out');
  const running = run({}, { stdoutFile });
  const job = await nextJob();
  job.run();
  job.print('one\n');
  await waitFor(() => readFileSync(stdoutFile, 'utf8').includes('one'), { what: 'the first line' });
  job.dropReaders();
  job.print('two\n');
  job.end(0);

  expect((await running).stdout).toBe('one\ntwo\n');
});

it('continues when the cluster is unavailable for a while', async () => {
  const running = run({});
  const job = await nextJob();
  cluster.refuseWith(503);
  await waitFor(() => cluster.refusals() > 2, { what: 'several refusals' });
  job.run();
  job.end(0);
  cluster.refuseWith(undefined);

  expect((await running).outcome.status).toBe('succeeded');
});

it('deletes the job when the run is stopped', async () => {
  const stop = new AbortController();
  const running = run({}, { signal: stop.signal });
  const job = await nextJob();
  job.run();
  stop.abort();

  expect((await running).outcome).toMatchObject({ status: 'aborted', error: 'run stopped' });
  expect(job.deletedWith).toMatchObject({ propagationPolicy: 'Background', gracePeriodSeconds: 5 });
  expect(cluster.jobs.size).toBe(0);
});

it('deletes the job when the run is stopped before the cluster has confirmed it', async () => {
  const answer = cluster.holdAnswers();
  const stop = new AbortController();
  const running = run({}, { signal: stop.signal });
  const job = await nextJob();
  stop.abort();
  answer();

  expect((await running).outcome).toMatchObject({ status: 'aborted' });
  expect(job.deletedWith).toMatchObject({ propagationPolicy: 'Background' });
  expect(cluster.jobs.size).toBe(0);
});

it('finds the job of an interrupted attempt, and starts another one for the next attempt', async () => {
  const stdoutFile = fixture.path('logs/shared.out');
  const env = { WEIR_RUN_ID: 'run-1' };
  // As after a crash: nobody waits for the job any more.
  const abandoned = run({ cleanup_policy: 'keep' }, { stdoutFile, env });
  const job = await nextJob();
  expect(job.manifest.metadata.labels['weir.dev/step']).toBe(stepKey({ env, stdoutFile }));
  const again = run({ cleanup_policy: 'keep' }, { stdoutFile, env });
  job.run();
  job.print('still here\n');
  await waitFor(() => job.followers === 2, { what: 'both to follow the job' });
  job.end(0);
  const ran = await again;
  await abandoned;

  expect(published(ran)).toEqual({ job: job.name });
  expect(ran.stderr).toContain(`found the job ${job.name} again`);
  expect(job.annotations).toEqual({ 'weir.dev/reported': 'true' });
  const next = run({ cleanup_policy: 'keep' }, { stdoutFile, env });
  const other = await nextJob();
  other.end(0);
  expect(published(await next)).toEqual({ job: other.name });
  expect(other.name).not.toBe(job.name);
});

it('fails when no pod starts', async () => {
  const running = run({ pending_timeout: '50ms' });
  (await nextJob()).wait('ImagePullBackOff');
  const { outcome, stderr } = await running;

  expect(outcome).toMatchObject({ status: 'failed', error: 'No pod of the job has started within 0.05 seconds.' });
  expect(stderr).toContain('The pod waits: ImagePullBackOff');
  expect(cluster.jobs.size).toBe(0);
});

it.each<[string, JsonObject, string]>([
  ['a wrong token', { token: 'hunter2' }, 'The cluster refused this (Unauthorized, status 401).'],
  ['a forbidden namespace', { namespace: 'forbidden' }, 'The cluster refused this (Forbidden, status 403).'],
  [
    'no cluster',
    { server: 'http://127.0.0.1:1' },
    'The cluster cannot be reached, or the connection was lost (ECONNREFUSED).',
  ],
])('fails for %s', async (_, settings, error) => {
  const ran = await run(settings);

  expect(ran.outcome).toMatchObject({ status: 'failed', error });
  expect(`${ran.stderr}${ran.stdout}`).not.toContain('hunter2');
});

describe('a kubeconfig', () => {
  const config = (user: object) => ({
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'c', user: 'u', namespace: 'team' } }],
    clusters: [{ name: 'c', cluster: { server: cluster.url } }],
    users: [{ name: 'u', user }],
  });
  const start = (content: unknown) => {
    writeFileSync(fixture.path('config'), JSON.stringify(content));
    return fixture.run('kubernetes.run', { image: 'alpine:3', kubeconfig: 'config' });
  };

  it('gives the address of the cluster, the user and the namespace', async () => {
    const running = start(config({ token: cluster.token }));
    const job = await nextJob();
    job.end(0);

    expect((await running).outcome.status).toBe('succeeded');
    expect(job.namespace).toBe('team');
  });

  it('starts no program', async () => {
    const exec = { command: 'touch', args: [fixture.path('pwned')], apiVersion: 'client.authentication.k8s.io/v1' };

    expect((await start(config({ exec }))).outcome.error).toBe(
      'The user of the kubeconfig signs in by a program, which is not started here. Use a token.',
    );
  });

  it.each([
    ['a context', { contexts: [], 'current-context': 'a' }, 'The kubeconfig has no such context.'],
    ['anything', {}, 'The kubeconfig has no current context. Name one with context.'],
  ])('fails without %s', async (_, content, error) => {
    expect((await start(content)).outcome.error).toBe(error);
  });

  it('fails when the file is missing', async () => {
    const { outcome } = await fixture.run('kubernetes.run', { image: 'alpine:3' });

    expect(outcome.error).toBe('A file of kubeconfig cannot be read (ENOENT).');
  });
});
