import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import { decodeClaimsUnverified } from '@weir/oidc-claims';
import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { cleanUpState, parseCleanUp, parseRevocation, stateNames } from '../runner/state';
import { byKey, direct, federated, runInProcess, type Inputs } from '../scenarios/testing/run-in-process';

const fileName = 'gha-creds-a5a5a5a5a5a5a5a5.json';

describe('publishing credentials', () => {
  let fake: FakeCloud;
  beforeEach(async () => {
    fake = await startFakeCloud();
  });
  afterEach(() => fake.stop());

  const checkout = (workspace: string): void => {
    mkdirSync(path.join(workspace, '.git'));
    writeFileSync(path.join(workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  };
  const runWith = (inputs: Inputs, prepare: (workspace: string) => void = checkout) =>
    runInProcess(fake, { inputs: federated(fake, inputs), prepare });

  it('gives file, variables and outputs to later steps, and the state for the cleanup to post', async () => {
    const { workspace, ...seen } = await runWith({});
    const file = path.join(workspace, fileName);

    expect(seen.outputs).toEqual({
      project_id: 'example-project',
      credentials_file_path: file,
      auth_token: fake.tokens.ofKind('federated token')[0]?.secret,
    });
    expect(seen.env).toEqual({
      CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE: file,
      GOOGLE_APPLICATION_CREDENTIALS: file,
      GOOGLE_GHA_CREDS_PATH: file,
      CLOUDSDK_CORE_PROJECT: 'example-project',
      CLOUDSDK_PROJECT: 'example-project',
      GCLOUD_PROJECT: 'example-project',
      GCP_PROJECT: 'example-project',
      GOOGLE_CLOUD_PROJECT: 'example-project',
    });
    expect(parseCleanUp(seen.state[cleanUpState] ?? '')).toMatchObject({
      file: { folder: workspace, name: fileName },
      exclusion: { path: path.join(workspace, '.git', 'info', 'exclude'), line: `/${fileName}` },
    });
    expect(seen.files.map(({ name }) => name)).toEqual([fileName]);
    expect(seen.summary).toContain(fake.account.email);
    expect(seen.summary).not.toContain('Token valid until');
    expect(seen.summary).toMatch(/Credentials file \| .* while the job runs \|/);
  });

  it('creates and reports no file if create_credentials_file is false', async () => {
    const { files, outputs, env, state } = await runWith({ create_credentials_file: 'false' });

    expect({ files, state }).toEqual({ files: [], state: {} });
    expect(Object.keys(outputs)).toEqual(['project_id', 'auth_token']);
    expect(Object.keys(env)).not.toContain('GOOGLE_APPLICATION_CREDENTIALS');
  });

  it('saves no state for the file if cleanup_credentials is false', async () => {
    const { files, state } = await runWith({ cleanup_credentials: 'false' });

    expect(files).toHaveLength(1);
    expect(state).toEqual({});
  });

  it('sets no variable if export_environment_variables is false', async () => {
    const { env, outputs } = await runWith({ export_environment_variables: 'false' });

    expect(env).toEqual({});
    expect(outputs).toHaveProperty('credentials_file_path');
  });

  it('writes no summary if step_summary is false', async () => {
    expect((await runWith({ step_summary: 'false' })).summary).toBe('');
  });

  it('provides the credentials if the summary cannot be written', async () => {
    const { error, outputs, lines } = await runInProcess(fake, {
      inputs: federated(fake),
      prepare: checkout,
      runtime: {
        writeSummary: () => {
          throw new Error('Unable to access the summary file.');
        },
      },
    });

    expect(error).toBeUndefined();
    expect(Object.keys(outputs)).toEqual(['project_id', 'credentials_file_path', 'auth_token']);
    expect(lines).toContainEqual(expect.stringContaining('warning The step summary could not be written'));
  });

  it.each(['saveState', 'exportVariable', 'setOutput'] as const)(
    'leaves no file behind if %s fails',
    async (method) => {
      const failing = () => {
        throw new AppError('internal', 'The disk is full.', { reason: 'runner_file_unwritable' });
      };
      let exclude = '';
      const { error, files, lines } = await runInProcess(fake, {
        inputs: federated(fake, { cleanup_credentials: method === 'saveState' ? 'true' : 'false' }),
        prepare: (workspace) => {
          checkout(workspace);
          exclude = path.join(workspace, '.git', 'info', 'exclude');
        },
        runtime: { [method]: failing },
        inspect: () => (exclude = existsSync(exclude) ? readFileSync(exclude, 'utf8') : ''),
      });

      expect(error).toMatchObject({ reason: 'runner_file_unwritable' });
      expect({ files, exclude }).toEqual({ files: [], exclude: '' });
      expect(lines).toContainEqual(`info The credentials file ${fileName} was removed.`);
    },
  );

  it('reports an unknown project', async () => {
    const { outputs, lines } = await runInProcess(fake, { inputs: direct(fake) });

    expect(outputs).not.toHaveProperty('project_id');
    expect(lines).toContainEqual(expect.stringContaining('notice The project is unknown'));
  });

  it('warns about a later checkout if the workspace is empty', async () => {
    const { lines } = await runWith({}, () => undefined);

    expect(lines).toContainEqual(expect.stringContaining('notice The workspace is empty'));
  });

  it('warns about images that include the file, and about a failed exclusion from Git', async () => {
    const { lines, error } = await runWith({}, (workspace) => {
      writeFileSync(path.join(workspace, '.dockerignore'), 'node_modules\n');
      writeFileSync(path.join(workspace, '.git'), 'nothing that git would write');
    });

    expect(error).toBeUndefined();
    expect(lines.filter((line) => line.startsWith('warning '))).toEqual([
      expect.stringContaining('info/exclude'),
      expect.stringContaining('.dockerignore does not exclude it from container images'),
    ]);
  });

  it('keeps a line that was already in the info/exclude', async () => {
    const { state } = await runWith({}, (workspace) => {
      checkout(workspace);
      mkdirSync(path.join(workspace, '.git', 'info'));
      writeFileSync(path.join(workspace, '.git', 'info', 'exclude'), `/${fileName}\n`);
    });

    expect(parseCleanUp(state[cleanUpState] ?? '')).toMatchObject({ exclusion: undefined });
  });

  it('outputs an access token with its expiry to the second', async () => {
    const { outputs, summary } = await runWith({ token_format: 'access_token', access_token_lifetime: '600s' });
    const [token] = fake.tokens.ofKind('access token');

    expect(outputs.access_token).toBe(token?.secret);
    expect(summary).toContain(`| Token valid until | ${outputs.access_token_expiration} |`);
    expect(outputs.access_token_expiration).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Date.parse(outputs.access_token_expiration ?? '') / 1000).toBe(token?.expiresAtSeconds);
  });

  it('sets no expiration if the response contains none', async () => {
    fake.setFaults({ iam: [{ kind: 'expiry', value: undefined }] });
    const { outputs, error, summary } = await runWith({ token_format: 'access_token' });

    expect(error).toBeUndefined();
    expect(Object.keys(outputs)).toEqual(['project_id', 'credentials_file_path', 'auth_token', 'access_token']);
    expect(summary).not.toContain('Token valid until');
  });

  it('outputs an ID token', async () => {
    const { outputs, summary } = await runWith({ token_format: 'id_token', id_token_audience: 'https://app.example' });

    expect(outputs.id_token).toBe(fake.tokens.ofKind('id token')[0]?.secret);
    expect(summary).toMatch(/Token valid until \| \d{4}-/);
    expect(outputs).not.toHaveProperty('access_token');
  });

  it('saves the state for the revocation of the access token', async () => {
    const { state, outputs } = await runWith({
      token_format: 'access_token',
      revoke_access_token: 'true',
      request_reason: 'ticket',
    });

    expect(parseRevocation(state[stateNames.revocation] ?? '')).toEqual({
      url: `${fake.bases.oauth2}/revoke`,
      userAgent: 'weir-auth-action/0.0.0',
      requestReason: 'ticket',
      token: outputs.access_token,
    });
  });

  it('summarises a key without a requested token as having no expiry', async () => {
    const { summary, error, outputs, masked } = await runInProcess(fake, { inputs: byKey(fake), prepare: checkout });

    expect(error).toBeUndefined();
    expect(summary).not.toContain('Token valid until');
    expect(fake.requests).toEqual([]);
    expect(decodeClaimsUnverified(outputs.auth_token ?? '').claims).toMatchObject({
      sub: fake.account.email,
      aud: 'https://iamcredentials.googleapis.com/',
    });
    expect(masked).toContain(outputs.auth_token);
  });
});
