import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  findLeaks,
  isWanted,
  readWorkflow,
  runSteps,
  toSteps,
  type ExpressionContext,
  type RunnerResult,
  type WorkflowJob,
} from '@weir/actions-runner';
import {
  createTestAuthority,
  startConnectProxy,
  startFakeCloud,
  type ConnectProxy,
  type FakeCloud,
} from '@weir/fake-cloud';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { action } from './testing/run-job';

/** They ask Google itself: their own specs look at how client programs take the file. */
const leftOut = ['The cloud CLI takes it', 'The access token works'];

function findAction(uses: string) {
  if (uses.startsWith('actions/checkout@')) return undefined;
  if (uses === './packages/auth-action') return { action };
  throw new Error(`A step that uses ${uses} is not expected.`);
}

describe('.github/workflows/auth-action.yml', () => {
  const jobs = readWorkflow(path.join(action, '../../.github/workflows/auth-action.yml'));
  const findJob = (name: string): WorkflowJob => {
    const job = jobs[name];
    if (job === undefined) throw new Error(`The workflow has no job ${name}.`);
    return job;
  };
  const authority = createTestAuthority();
  let folder: TemporaryFolder;
  let fake: FakeCloud;
  let proxy: ConnectProxy;
  beforeEach(async () => {
    folder = temporaryFolder('weir-workflow-');
    fake = await startFakeCloud({ authority });
    proxy = await startConnectProxy({ route: fake.route, ca: authority });
  });
  afterEach(async () => {
    await proxy.stop();
    await fake.stop();
    await folder.remove();
  });
  afterAll(() => authority.remove());

  /** Creates the tree without changes that the job's checkout leaves. */
  function checkOut(): string {
    const workspace = folder.file('workspace');
    mkdirSync(workspace);
    writeFileSync(path.join(workspace, 'README.md'), 'An app.\n');
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      [...identity, 'commit', '-q', '-m', 'first'],
    ]) {
      execFileSync('git', args, { cwd: workspace });
    }
    return workspace;
  }

  const play = async (job: WorkflowJob, context: ExpressionContext): Promise<RunnerResult> => {
    const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = fake.env;
    return runSteps({
      workspace: checkOut(),
      node: process.execPath,
      env: proxy.env,
      secrets: [token],
      ...(job.permissions?.['id-token'] === 'write' && { idToken: { url, token } }),
      steps: toSteps(job, { context, findAction, without: leftOut }),
    });
  };

  const vars = () => ({ AUTH_ACTION_PROVIDER: fake.provider, AUTH_ACTION_SERVICE_ACCOUNT: fake.account.email });
  const push = { event_name: 'push' };

  it('contains the steps that are skipped here', () => {
    const names = Object.values(jobs).flatMap(({ steps }) => steps.map(({ name }) => name));
    expect(names).toEqual(expect.arrayContaining(leftOut));
  });

  it('is rejected and leaves no files', async () => {
    const end = await play(findJob('refusal'), { matrix: { os: 'ubuntu-24.04' } });

    expect(end.steps.map(({ outcome }) => outcome)).toEqual(['failure', 'success']);
    expect(end).toMatchObject({ outcome: 'success', leftovers: [] });
    expect(fake.requests).toEqual([]);
  });

  it.each(findJob('federation').strategy?.matrix.token_format ?? [])(
    'signs in with token_format %j, and leaks no secret',
    async (token_format) => {
      const end = await play(findJob('federation'), { vars: vars(), matrix: { token_format }, github: push });

      expect(end.log).not.toContain('##[error]');
      expect(end.outcome).toBe('success');
      expect(end.steps).toHaveLength(token_format === 'id_token' ? 3 : 2);
      expect(end.leftovers.filter(({ path: file }) => file.includes('gha-creds-'))).toEqual([]);
      const secrets = Object.fromEntries(fake.tokens.all().map(({ name, secret }) => [name, secret]));
      expect(findLeaks(end, secrets, { outputs: ['auth_token', 'access_token', 'id_token'] })).toEqual([]);
    },
  );

  it.each([
    ['a push', () => ({ vars: vars(), github: push }), true],
    ['a push to a repository without a provider', () => ({ vars: {}, github: push }), false],
    ['a pull request of the repository', () => ({ vars: vars(), github: pullRequest('octo/app') }), true],
    ['a pull request from a fork', () => ({ vars: vars(), github: pullRequest('else/app') }), false],
  ])('authenticates or not for %s', (_, context, isExpected) => {
    expect(isWanted(findJob('federation'), context())).toBe(isExpected);
  });

  const pullRequest = (head: string) => ({
    event_name: 'pull_request',
    repository: 'octo/app',
    event: { pull_request: { head: { repo: { full_name: head } } } },
  });
});
