import { account, aKey, aRuntime, federation, provider, readRefusedInputs, type Inputs } from '../testing/read-inputs';
import { readSettings } from './read-settings';

const credentials_json = JSON.stringify(aKey());
const direct: Inputs = { workload_identity_provider: provider };
const accessToken: Inputs = { ...federation, token_format: 'access_token' };
const idToken: Inputs = { ...federation, token_format: 'id_token', id_token_audience: 'https://run.example' };

describe('readSettings refuses', () => {
  it.each<[string, Inputs, string, string]>([
    ['no mode', {}, 'mode_missing', 'has no value, and neither has credentials_json'],
    ['two modes', { ...federation, credentials_json }, 'mode_ambiguous', 'Set only one of them'],
    ['a wrong provider', { workload_identity_provider: 'x' }, 'provider_invalid', 'is a short name'],
    ['a wrong key', { credentials_json: '{' }, 'key_unreadable', 'Input credentials_json starts like JSON'],
    [
      'a key of another universe',
      { credentials_json: JSON.stringify({ ...aKey(), universe_domain: 'other.example' }), universe: 'cloud.example' },
      'universe_mismatch',
      'is cloud.example',
    ],
    ['a wrong account', { ...federation, service_account: 'deployer' }, 'account_invalid', 'neither an email'],
    ['a wrong universe', { ...federation, universe: 'https://x.example' }, 'universe_invalid', 'a lower-case domain'],
    [
      'a wrong project',
      { ...federation, project_id: 'My project' },
      'text_with_spaces',
      'Input project_id contains a space',
    ],
    ['a wrong endpoint', { ...federation, oauth2_endpoint: 'http://x.example' }, 'endpoint_invalid', 'oauth2_endpoint'],
    [
      'another endpoint',
      { ...federation, iam_credentials_endpoint: 'x' },
      'endpoint_invalid',
      'iam_credentials_endpoint',
    ],
    ['a word for a boolean', { ...federation, step_summary: 'yes' }, 'boolean_invalid', 'Use true or false.'],
    ['a mode that lets others write', { ...federation, credentials_file_mode: '0666' }, 'file_mode_invalid', "'0640'"],
    ['a mode that YAML changed', { ...federation, credentials_file_mode: '384' }, 'file_mode_invalid', 'in quotes'],
    ['a header of two lines', { ...federation, request_reason: 'a\r\nb: c' }, 'request_reason_invalid', 'one line'],
    [
      'a header that is too long',
      { ...federation, request_reason: 'a'.repeat(1025) },
      'request_reason_invalid',
      '1024',
    ],
    ['an endless wait', { ...federation, timeout: '1h' }, 'duration_out_of_range', 'Use 1s to 10m.'],
    ['no wait', { ...federation, timeout: '0s' }, 'duration_out_of_range', 'timeout is 0 seconds'],
    ['an unknown format', { ...federation, token_format: 'Access_Token' }, 'token_format_unknown', '"Access_Token"'],
    ['a long lifetime', { ...accessToken, access_token_lifetime: '13h' }, 'duration_out_of_range', '12h'],
    [
      'a short lifetime for clients',
      { ...federation, credentials_file_token_lifetime: '599s' },
      'duration_out_of_range',
      'Use 600s to 12h.',
    ],
    [
      'a long lifetime for a user',
      { ...accessToken, access_token_lifetime: '3601s', access_token_subject: 'ada@example.com' },
      'lifetime_too_long_for_subject',
      'the maximum is 1h',
    ],
    [
      'a user in another universe',
      { ...accessToken, universe: 'cloud.example', access_token_subject: 'ada@example.com' },
      'subject_unsupported',
      'universe is cloud.example',
    ],
    ['a scope that is none', { ...accessToken, access_token_scopes: 'a\nbé' }, 'scope_invalid', '(item 2)'],
    ['an unexpanded scope', { ...accessToken, access_token_scopes: 'openid $SCOPE' }, 'text_not_expanded', '(item 2)'],
    ['a delegate that is none', { ...accessToken, delegates: 'x' }, 'account_invalid', 'Input delegates (item 1)'],
    ['a subject that is none', { ...accessToken, access_token_subject: 'ada' }, 'email_invalid', 'user@example.com'],
    ['an ID token for nobody', { ...idToken, id_token_audience: '' }, 'audience_missing', 'Input id_token_audience'],
    ['an audience of two', { ...idToken, id_token_audience: 'a\nb' }, 'audience_invalid', 'Input id_token_audience'],
    ['a quoted audience', { ...federation, audience: "'app'" }, 'text_quoted', 'Input audience'],
    ['a huge audience', { ...federation, audience: 'a'.repeat(2049) }, 'audience_invalid', 'at most 2048'],
    [
      'an ID token of nobody',
      { ...idToken, service_account: '' },
      'account_missing',
      'is required for token_format id_token',
    ],
    [
      'what only an account can do',
      {
        ...direct,
        token_format: 'access_token',
        delegates: account,
        access_token_subject: 'ada@example.com',
      },
      'account_missing',
      'access_token_subject, delegates',
    ],
  ])('%s', (_, inputs, reason, sentence) => {
    const refusal = readRefusedInputs(inputs);

    expect(refusal).toMatchObject({ code: 'invalid_request', reason });
    expect(refusal.message).toMatch(/^Input \w+ /);
    expect(refusal.message).toContain(sentence);
  });

  it('all errors at once', () => {
    const refusal = readRefusedInputs({
      workload_identity_provider: `${provider}/`,
      token_format: 'jwt',
      timeout: 'soon',
      cleanup_credentials: 'maybe',
    });

    expect(refusal.reason).toBe('inputs_invalid');
    expect(refusal.message.split('\n')).toEqual([
      '4 inputs are invalid.',
      expect.stringMatching(/^- Input workload_identity_provider ends with a slash\./),
      expect.stringMatching(/^- Input token_format is "jwt"\./),
      expect.stringMatching(/^- Input cleanup_credentials is "maybe"/),
      expect.stringMatching(/^- Input timeout is "soon"/),
    ]);
    expect(refusal.details).toMatchObject({ problems: { length: 4 } });
  });

  it('a key of a universe that cannot be read only for the universe', () => {
    const foreign = JSON.stringify(aKey({ universe_domain: 'cloud.example' }));

    expect(readRefusedInputs({ credentials_json: foreign, universe: 'Cloud.example' }).reason).toBe('universe_invalid');
  });

  it('a key in addition to a provider, but masks it', () => {
    const { runtime, masked } = aRuntime({ ...federation, credentials_json });

    expect(() => readSettings(runtime)).toThrow('Set only one of them');
    expect(masked).toContain(credentials_json);
  });
});

describe('an input that arrived empty', () => {
  it.each([
    [
      'Dependabot',
      { GITHUB_ACTOR: 'dependabot[bot]', GITHUB_EVENT_NAME: 'pull_request' },
      'Dependabot started this run',
    ],
    [
      'a pull request',
      { GITHUB_ACTOR: 'ada', GITHUB_EVENT_NAME: 'pull_request' },
      'A pull_request event started this run',
    ],
    ['a push', { GITHUB_ACTOR: 'ada', GITHUB_EVENT_NAME: 'push' }, 'check its name'],
    ['nobody knows what', {}, 'check its name'],
  ])('is explained by %s', (_, env, sentence) => {
    expect(readRefusedInputs({ service_account: account }, env).message).toContain(sentence);
  });
});
