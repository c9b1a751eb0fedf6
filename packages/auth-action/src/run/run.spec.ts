import { AppError } from '@weir/foundation';
import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { direct, federated, runInProcess, type InProcessOptions } from '../scenarios/testing/run-in-process';

describe('run', () => {
  let fake: FakeCloud;
  beforeEach(async () => {
    fake = await startFakeCloud();
  });
  afterEach(() => fake.stop());

  const summary: unknown = expect.stringMatching(/^### Authentication failed\n/);
  const nothing = { outputs: {}, env: {}, state: {}, files: [], summary };
  const runWith = async (options: Partial<InProcessOptions>) =>
    runInProcess(fake, { inputs: federated(fake), ...options });

  const throwing = (failure: Error) => (): void => {
    throw failure;
  };

  it('identifies itself with every request', async () => {
    const { lines } = await runWith({
      inputs: federated(fake, { token_format: 'access_token', request_reason: 'ticket 42' }),
      env: { GITHUB_REPOSITORY: 'octo-org/octo-repo', GITHUB_RUN_ID: '7' },
    });

    expect(fake.requests.map(({ headers }) => headers['user-agent'])).toEqual(
      Array.from({ length: 3 }, () => 'weir-auth-action/0.0.0 (octo-org/octo-repo; run 7)'),
    );
    expect(fake.requests.slice(1).map(({ headers }) => headers['x-goog-request-reason'])).toEqual([
      'ticket 42',
      'ticket 42',
    ]);
    expect(lines.filter((line) => line.startsWith('debug '))).toHaveLength(3);
  });

  it('reports settings with surprising effects', async () => {
    const { lines } = await runWith({ inputs: direct(fake, { token_format: 'access_token' }) });

    expect(lines).toContainEqual(
      expect.stringContaining('notice Without service_account, a token expires with the OIDC token'),
    );
  });

  it('sends no request and creates no file if an input is invalid', async () => {
    const { error, ...seen } = await runWith({ inputs: federated(fake, { timeout: '13h' }) });

    expect(error).toMatchObject({ code: 'invalid_request' });
    expect(seen).toMatchObject(nothing);
    expect(fake.requests).toEqual([]);
  });

  it('reports direct federation if no account is set', async () => {
    const { lines } = await runWith({ inputs: direct(fake) });

    expect(lines).toContainEqual(
      expect.stringMatching(/^info No service_account is set, so the job authenticates with direct/),
    );
  });

  it('sends no request if the workspace does not exist', async () => {
    const { error } = await runWith({ env: { GITHUB_WORKSPACE: '/nowhere' } });

    expect(error).toMatchObject({ reason: 'workspace_missing' });
    expect(fake.requests).toEqual([]);
  });

  it('requires no workspace without a credentials file', async () => {
    const inputs = federated(fake, { create_credentials_file: 'false' });

    expect(await runWith({ inputs, env: { GITHUB_WORKSPACE: undefined } })).toMatchObject({ error: undefined });
  });

  it('sends no request and creates no file if the account is not expected', async () => {
    const { error, ...seen } = await runWith({ inputs: federated(fake, { expected_project: 'other-project' }) });

    expect(error).toMatchObject({ code: 'forbidden', reason: 'project_not_expected' });
    expect(seen).toMatchObject(nothing);
    expect(fake.requests).toEqual([]);
  });

  it('creates no file if the exchange is rejected, and reports the claims of the OIDC token', async () => {
    fake.setClaims({ iss: 'https://issuer.example' });
    const { error, ...seen } = await runWith({});

    expect(error?.reason).toBe('sts_refused');
    expect(error?.message).toContain('https://issuer.example');
    expect(seen).toMatchObject(nothing);
  });

  it('gives up at its deadline', async () => {
    fake.setFaults({
      oidc: Array.from({ length: 6 }, () => ({ kind: 'status', status: 503, retryAfter: 4 }) as const),
    });
    const { error } = await runWith({ inputs: federated(fake, { timeout: '10s' }) });

    expect(error).toMatchObject({ reason: 'deadline_passed' });
  });

  it('assigns a reason to a failure without one', async () => {
    const failure = new AppError('internal', 'The output is full.');
    const { error } = await runWith({ runtime: { setOutput: throwing(failure) } });

    expect(error).toMatchObject({ code: 'internal', reason: 'unknown', message: 'The output is full.' });
  });

  it('rethrows an unexpected error unchanged', async () => {
    const failure = new Error('Odd.');

    await expect(runWith({ runtime: { setOutput: throwing(failure) } })).rejects.toBe(failure);
  });
});
