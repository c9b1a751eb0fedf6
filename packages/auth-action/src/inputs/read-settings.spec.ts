import { inputDefaults } from '../testing/manifest';
import { account, aKey, aRuntime, federation, provider, readInputs } from '../testing/read-inputs';
import { readSettings } from './read-settings';

const key = { credentials_json: JSON.stringify(aKey()) };
const keyAccount = 'robot@key-project.iam.gserviceaccount.com';

describe('readSettings', () => {
  it('reads federation with defaults', () => {
    expect(readInputs(federation)).toMatchObject({
      identity: {
        mode: 'federation',
        provider: { name: provider, projectNumber: '123456', pool: 'ci-pool', provider: 'ci-provider' },
        serviceAccount: account,
        audience: `https://iam.googleapis.com/${provider}`,
      },
      token: { kind: 'none' },
      delegates: [],
      projectId: 'demo-project',
      universe: 'googleapis.com',
      endpoints: {
        sts: 'https://sts.googleapis.com',
        iamCredentials: 'https://iamcredentials.googleapis.com',
        oauth2: 'https://oauth2.googleapis.com',
      },
      file: { create: true, cleanUp: true, mode: 0o600, tokenLifetimeSeconds: 3600 },
      exportsVariables: true,
      requestReason: undefined,
      expectedProject: undefined,
      expectedAccount: undefined,
      writesSummary: true,
      revokesToken: false,
      deadlineSeconds: 60,
    });
  });

  it('uses the default for an empty or blank input', () => {
    const texts = (text: string) => Object.fromEntries(Object.keys(inputDefaults).map((name) => [name, text]));

    expect(readInputs({ ...texts(''), ...federation })).toEqual(readInputs(federation));
    expect(readInputs({ ...texts(' \n'), ...federation })).toEqual(readInputs(federation));
  });

  it('reads every option of an access token', () => {
    const settings = readInputs({
      ...federation,
      token_format: 'access_token',
      access_token_lifetime: '30m',
      access_token_scopes: 'openid https://www.googleapis.com/auth/devstorage.read_only',
      access_token_subject: 'ada@example.com',
      delegates: '100000000000000000001\nserviceAccount:middle@demo-project.iam.gserviceaccount.com',
      revoke_access_token: 'TRUE',
    });

    expect(settings).toMatchObject({
      token: {
        kind: 'access_token',
        lifetimeSeconds: 1800,
        scopes: ['openid', 'https://www.googleapis.com/auth/devstorage.read_only'],
        subject: 'ada@example.com',
      },
      delegates: ['100000000000000000001', 'middle@demo-project.iam.gserviceaccount.com'],
      file: { tokenLifetimeSeconds: 3600 },
      revokesToken: true,
      ignoredInputs: [],
    });
  });

  it('requests a token for one hour if the lifetime is 0s', () => {
    const inputs = { ...federation, token_format: 'access_token', access_token_lifetime: '0s' };

    expect(readInputs(inputs).token).toMatchObject({ lifetimeSeconds: 3600 });
  });

  it.each([
    ['an audience', 'app of ada'],
    ['a request reason', 'für Ada'],
  ])('accepts %s of several words', (_case, text) => {
    expect(readInputs({ ...federation, audience: text, request_reason: text })).toMatchObject({
      identity: { audience: text },
      requestReason: text,
    });
  });

  it('requests the documented access token by default', () => {
    expect(readInputs({ ...federation, token_format: 'access_token' }).token).toEqual({
      kind: 'access_token',
      lifetimeSeconds: 3600,
      scopes: ['https://www.googleapis.com/auth/cloud-platform'],
      subject: undefined,
    });
  });

  it('reads every option of an ID token', () => {
    const inputs = { token_format: 'id_token', id_token_audience: 'https://run.example', id_token_include_email: '1' };

    expect(readInputs({ ...federation, ...inputs }).token).toEqual({
      kind: 'id_token',
      audience: 'https://run.example',
      includeEmail: true,
    });
  });

  it('reads everything else', () => {
    const settings = readInputs({
      ...federation,
      audience: 'my-audience',
      project_id: 'other-project',
      create_credentials_file: 'false',
      cleanup_credentials: 'F',
      export_environment_variables: '0',
      universe: 'cloud.example',
      request_reason: 'ticket 42',
      expected_project: 'other-project',
      expected_account: account,
      credentials_file_mode: '0640',
      step_summary: 'False',
      timeout: '2m',
      sts_endpoint: 'http://127.0.0.1:8080/',
      credentials_file_token_lifetime: '12h',
    });

    expect(settings).toMatchObject({
      identity: { audience: 'my-audience' },
      projectId: 'other-project',
      universe: 'cloud.example',
      endpoints: {
        sts: 'http://127.0.0.1:8080',
        iamCredentials: 'https://iamcredentials.cloud.example',
        oauth2: 'https://oauth2.cloud.example',
      },
      file: { create: false, cleanUp: false, mode: 0o640, tokenLifetimeSeconds: 43_200 },
      exportsVariables: false,
      requestReason: 'ticket 42',
      expectedProject: 'other-project',
      expectedAccount: account,
      writesSummary: false,
      deadlineSeconds: 120,
    });
  });

  it('has the same default audience in every universe', () => {
    expect(readInputs({ ...federation, universe: 'cloud.example' }).identity).toMatchObject({
      audience: `https://iam.googleapis.com/${provider}`,
    });
  });

  it('reads direct federation, which can have an access token', () => {
    const direct = { workload_identity_provider: provider, token_format: 'access_token' };

    expect(readInputs(direct)).toMatchObject({
      identity: { mode: 'federation', serviceAccount: undefined },
      token: { kind: 'access_token' },
      projectId: undefined,
    });
  });

  describe('with a key', () => {
    it('acts as its account, in its project', () => {
      const { runtime, masked } = aRuntime(key);

      expect(readSettings(runtime).google).toMatchObject({
        identity: { mode: 'key', serviceAccount: keyAccount },
        projectId: 'key-project',
      });
      expect(masked).toContain(JSON.stringify(aKey()));
    });

    it.each([
      ['the project of the account that is named', { service_account: account }, {}, 'demo-project'],
      [
        "the key's project where that account names none",
        { service_account: '100000000000000000001' },
        {},
        'key-project',
      ],
      ["the key's project rather than that of its account", {}, { project_id: 'other-project' }, 'other-project'],
      ['the project of its account where the key names none', {}, { project_id: undefined }, 'key-project'],
      [
        "the key's project for an App Engine account",
        {},
        { client_email: 'x@appspot.gserviceaccount.com' },
        'key-project',
      ],
      [
        'no project where nothing names one',
        {},
        { client_email: 'x@appspot.gserviceaccount.com', project_id: '' },
        undefined,
      ],
      ['the project that is given', { project_id: 'given-project' }, {}, 'given-project'],
    ])('accepts %s', (_, inputs, changes, project) => {
      expect(readInputs({ credentials_json: JSON.stringify(aKey(changes)), ...inputs }).projectId).toBe(project);
    });

    it('acts as another account that is named', () => {
      expect(readInputs({ ...key, service_account: account }).identity).toMatchObject({ serviceAccount: account });
    });

    it.each([
      ['that is given', { universe: 'cloud.example' }],
      ['where none is given', {}],
    ])('has its own universe %s', (_case, inputs) => {
      const credentials_json = JSON.stringify(aKey({ universe_domain: 'cloud.example' }));

      expect(readInputs({ credentials_json, ...inputs })).toMatchObject({
        universe: 'cloud.example',
        endpoints: { sts: 'https://sts.cloud.example' },
      });
    });
  });
});
