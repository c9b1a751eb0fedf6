import { account, aKey, federation, provider, readInputs, type Inputs } from '../testing/read-inputs';

const key: Inputs = { credentials_json: JSON.stringify(aKey()) };
const direct: Inputs = { workload_identity_provider: provider };
const accessToken: Inputs = { ...federation, token_format: 'access_token' };
const idToken: Inputs = { ...federation, token_format: 'id_token', id_token_audience: 'https://run.example' };

describe('an input without effect is ignored', () => {
  it.each<[string, Inputs, string, string]>([
    ['an audience with a key', { ...key, audience: 'x' }, 'audience', 'only to workload_identity_provider'],
    [
      'scopes of an ID token',
      { ...idToken, access_token_scopes: 'a' },
      'access_token_scopes',
      'token_format is id_token',
    ],
    ['scopes of no token', { ...federation, access_token_scopes: 'é' }, 'access_token_scopes', 'token_format is empty'],
    [
      'a user without a token',
      { ...federation, access_token_subject: 'a@b.example' },
      'access_token_subject',
      'is empty',
    ],
    ['a lifetime of no token', { ...federation, access_token_lifetime: '2h' }, 'access_token_lifetime', 'is empty'],
    [
      'an audience of no token',
      { ...federation, id_token_audience: 'x' },
      'id_token_audience',
      'token_format id_token',
    ],
    ['an email in no token', { ...accessToken, id_token_include_email: 'true' }, 'id_token_include_email', 'id_token'],
    ['the end of no token', { ...idToken, revoke_access_token: 'true' }, 'revoke_access_token', 'access_token'],
    ['a chain to nothing', { ...federation, delegates: account }, 'delegates', 'access_token or id_token'],
    ['a chain to nothing without an account', { ...direct, delegates: account }, 'delegates', 'token_format is empty'],
    [
      'a lifetime without an account',
      { ...direct, token_format: 'access_token', access_token_lifetime: '10m' },
      'access_token_lifetime',
      'only with service_account',
    ],
    [
      'a lifetime for clients without an account',
      { ...direct, credentials_file_token_lifetime: '2h' },
      'credentials_file_token_lifetime',
      'only with service_account',
    ],
    [
      'a lifetime for clients with a key',
      { ...key, credentials_file_token_lifetime: '2h' },
      'credentials_file_token_lifetime',
      'only to workload_identity_provider',
    ],
  ])('such as %s', (_case, inputs, input, why) => {
    const { [input]: _ignored, ...others } = inputs;

    const { ignoredInputs, ...settings } = readInputs(inputs);

    expect(ignoredInputs).toEqual([{ input, why: expect.stringContaining(why) as string }]);
    expect({ ...settings, ignoredInputs: [] }).toEqual(readInputs(others));
  });

  it('unless its value is the default', () => {
    const { ignoredInputs } = readInputs({
      ...federation,
      access_token_lifetime: '1h',
      access_token_scopes: 'https://www.googleapis.com/auth/cloud-platform',
      id_token_include_email: 'False',
      revoke_access_token: '0',
    });

    expect(ignoredInputs).toEqual([]);
  });
});
