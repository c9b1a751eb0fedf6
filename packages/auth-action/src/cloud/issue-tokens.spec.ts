import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { aTinyKey } from '../testing/tiny-key';
import { byKey, direct, federated, runInProcess, type Inputs } from '../scenarios/testing/run-in-process';

const storage = 'https://www.googleapis.com/auth/devstorage.read_only';
const cloudPlatform = 'https://www.googleapis.com/auth/cloud-platform';
const user = 'user@example.com';

describe('issuing tokens', () => {
  let fake: FakeCloud;
  beforeEach(async () => {
    fake = await startFakeCloud();
  });
  afterEach(() => fake.stop());

  const asked = () => fake.requests.map(({ service, path }) => `${service} ${path.split(':').at(-1) ?? ''}`);
  const issueToken = async (inputs: Inputs) => {
    const { error, outputs } = await runInProcess(fake, { inputs });
    if (error !== undefined) throw error;
    return fake.tokens.all().find(({ secret }) => secret === (outputs.access_token ?? outputs.id_token));
  };
  const access = { token_format: 'access_token' };
  const target = 'target@example-project.iam.gserviceaccount.com';
  const middle = 'middle@example-project.iam.gserviceaccount.com';

  it('publishes nothing with a key that cannot sign', async () => {
    const pem = aTinyKey().export({ type: 'pkcs8', format: 'pem' });
    const inputs = byKey(fake, {
      credentials_json: JSON.stringify({ ...fake.serviceAccountKey(), private_key: pem }),
    });

    const { error, outputs, files, env, state } = await runInProcess(fake, { inputs });

    expect(error).toMatchObject({ code: 'invalid_request', reason: 'key_unusable' });
    expect(error?.message).toContain('Input credentials_json has a private_key that cannot sign');
    expect({ outputs, files, env, state }).toEqual({ outputs: {}, files: [], env: {}, state: {} });
  });

  describe('in federation', () => {
    it('tests the token exchange if no token is requested', async () => {
      await expect(issueToken(federated(fake))).resolves.toBeUndefined();

      expect(fake.requests.map(({ service }) => service)).toEqual(['oidc', 'sts']);
    });

    it('impersonates the account with the requested lifetime and scopes', async () => {
      const inputs = federated(fake, { ...access, access_token_lifetime: '600s', access_token_scopes: storage });

      await expect(issueToken(inputs)).resolves.toMatchObject({ principal: fake.account.email, scopes: [storage] });
      expect(fake.requests[2]?.body).toMatchObject({ lifetime: '600s', scope: [storage] });
    });

    it('uses delegates', async () => {
      const inputs = federated(fake, { ...access, service_account: target, delegates: middle });

      await expect(issueToken(inputs)).resolves.toMatchObject({ principal: target });
    });

    it('acts as a user by a signature of the cloud', async () => {
      const inputs = federated(fake, { ...access, access_token_subject: user });

      await expect(issueToken(inputs)).resolves.toMatchObject({ principal: user, scopes: [cloudPlatform] });
      expect(asked().slice(2)).toEqual(['iam signJwt', 'oauth /token']);
    });

    it('acts as a user through delegates', async () => {
      const more = { access_token_subject: user, service_account: target, delegates: middle };

      await expect(issueToken(federated(fake, { ...access, ...more }))).resolves.toMatchObject({ principal: user });
    });

    it('gets an ID token', async () => {
      const inputs = { token_format: 'id_token', id_token_audience: 'https://app.example' };

      await expect(issueToken(federated(fake, inputs))).resolves.toMatchObject({ kind: 'id token' });
      expect(fake.requests[2]?.body).toMatchObject({ audience: 'https://app.example', includeEmail: false });
    });
  });

  describe('in direct federation', () => {
    it('returns the federated token with the requested scopes', async () => {
      const inputs = direct(fake, { ...access, access_token_scopes: storage });

      await expect(issueToken(inputs)).resolves.toMatchObject({ kind: 'federated token', scopes: [storage] });
    });

    it('tests the token exchange if no token is requested', async () => {
      await expect(issueToken(direct(fake))).resolves.toBeUndefined();
      expect(fake.tokens.ofKind('federated token')).toMatchObject([{ scopes: [cloudPlatform] }]);
    });
  });

  describe('with a key', () => {
    it('sends no request if no token is requested', async () => {
      await expect(issueToken(byKey(fake))).resolves.toBeUndefined();
      expect(fake.requests).toEqual([]);
    });

    it('issues a token for its own account', async () => {
      await expect(issueToken(byKey(fake, access))).resolves.toMatchObject({ principal: fake.account.email });
      expect(asked()).toEqual(['iam generateAccessToken']);
    });

    it('signs with a key that has no id', async () => {
      const key = JSON.stringify({ ...fake.serviceAccountKey(), private_key_id: undefined });

      await expect(issueToken(byKey(fake, { ...access, credentials_json: key }))).resolves.toMatchObject({
        principal: fake.account.email,
      });
    });

    it('acts as another account', async () => {
      const inputs = byKey(fake, { ...access, service_account: middle });

      await expect(issueToken(inputs)).resolves.toMatchObject({ principal: middle });
    });

    it('impersonates a user with its own signature', async () => {
      const inputs = byKey(fake, { ...access, access_token_subject: user });

      await expect(issueToken(inputs)).resolves.toMatchObject({ principal: user });
      expect(asked()).toEqual(['oauth /token']);
    });

    it('acts as a user by the signature of another account', async () => {
      const inputs = byKey(fake, { ...access, access_token_subject: user, service_account: middle });

      await expect(issueToken(inputs)).resolves.toMatchObject({ principal: user });
      expect(asked()).toEqual(['iam signJwt', 'oauth /token']);
    });

    it('gets an ID token with an email address', async () => {
      const inputs = { token_format: 'id_token', id_token_audience: 'https://app.example' };

      await expect(issueToken(byKey(fake, { ...inputs, id_token_include_email: 'true' }))).resolves.toBeDefined();
      expect(fake.requests[0]?.body).toMatchObject({ includeEmail: true });
    });

    it('masks the signed assertion', async () => {
      const inputs = byKey(fake, { ...access, access_token_subject: user });
      const { masked } = await runInProcess(fake, { inputs });

      expect(fake.tokens.ofKind('foreign token').length).toBe(1);
      expect(masked).toEqual(expect.arrayContaining(fake.tokens.ofKind('foreign token').map(({ secret }) => secret)));
    });
  });
});
