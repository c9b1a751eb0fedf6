import type { Settings } from '../../inputs/settings';
import { anAccount, directIdentity, keyIdentity, ciProvider, someKey, someSettings } from '../../testing/settings';
import { formatCredentialsFile } from './format-credentials-file';

const env = {
  ACTIONS_ID_TOKEN_REQUEST_URL: 'https://ci.test/token?api-version=2&audience=other',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
};

const read = (settings: Settings): unknown => JSON.parse(formatCredentialsFile(settings, env, '/w/file.json'));

describe('credentialsFileOf', () => {
  it('configures client libraries to exchange the OIDC token and impersonate the account', () => {
    const file = { ...someSettings().file, tokenLifetimeSeconds: 7200 };
    expect(read(someSettings({ file }))).toEqual({
      type: 'external_account',
      universe_domain: 'googleapis.com',
      audience: `//iam.googleapis.com/${ciProvider.name}`,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: 'https://sts.test/v1/token',
      token_info_url: 'https://sts.test/v1/introspect',
      credential_source: {
        url: 'https://ci.test/token?api-version=2&audience=https%3A%2F%2Fa%3Fb',
        headers: { Authorization: 'Bearer request-token' },
        format: { type: 'json', subject_token_field_name: 'value' },
      },
      service_account_impersonation_url:
        'https://iam.test/v1/projects/-/serviceAccounts/me@proj.iam.gserviceaccount.com:generateAccessToken',
      service_account_impersonation: { token_lifetime_seconds: 7200 },
    });
  });

  it('impersonates no account in direct federation', () => {
    expect(JSON.stringify(read(someSettings({ identity: directIdentity })))).not.toContain('impersonation');
  });

  it('names another universe by its domain, and the provider identically in every universe', () => {
    expect(read(someSettings({ universe: 'cloud.test' }))).toMatchObject({
      universe_domain: 'cloud.test',
      audience: `//iam.googleapis.com/${ciProvider.name}`,
    });
  });

  it('retains every field of a key and adds a missing universe', () => {
    const json = { type: 'service_account', private_key: 'pem', extra: { kept: [1] } };
    const identity = { ...keyIdentity(anAccount), key: { ...someKey, json } };
    expect(read(someSettings({ identity }))).toEqual({ universe_domain: 'googleapis.com', ...json });
    const own = { ...identity, key: { ...someKey, json: { ...json, universe_domain: 'own.test' } } };
    expect(read(someSettings({ identity: own }))).toMatchObject({ universe_domain: 'own.test' });
  });

  it('reads the token of another CI system from its file, or from the credentials file itself', () => {
    const settings = someSettings();
    const token = 'a.b.c';
    expect(read({ ...settings, oidcSource: { kind: 'file', path: '/run/token' } })).toMatchObject({
      credential_source: { file: '/run/token', format: { type: 'text' } },
    });
    expect(read({ ...settings, oidcSource: { kind: 'token', token } })).toMatchObject({
      oidc_token: token,
      credential_source: { file: '/w/file.json', format: { type: 'json', subject_token_field_name: 'oidc_token' } },
    });
    const file = { ...settings.file, quotaProject: 'billing' };
    expect(read({ ...settings, file })).toMatchObject({ quota_project_id: 'billing' });
  });

  it('fails without the permission to request the token of the job', () => {
    expect(() => formatCredentialsFile(someSettings(), {}, '/w/file.json')).toThrow(
      expect.objectContaining({ reason: 'id_token_permission_missing' }) as Error,
    );
  });
});
