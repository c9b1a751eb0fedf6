import { createPrivateKey } from 'node:crypto';
import { isAppError } from '@weir/foundation';
import { seededFaultPlan, startFakeCloud, type FakeCloud, type FaultPlans } from '@weir/fake-cloud';
import { delegationClaims, selfSignedClaims, signAssertion } from './assertion';
import { createTokenServices } from './create-token-services';
import { refusalReasons } from './refusal-reason';
import { cloudPlatformScope } from '../inputs/identifiers';
import { aTransport } from './testing/transport-rig';

const expectedReason = new RegExp(`^(?:${[...refusalReasons, 'network_unreachable', 'answer_malformed'].join('|')})$`);

describe('the flows against a cloud that verifies', () => {
  let fake: FakeCloud;
  const masked: string[] = [];
  beforeEach(async () => {
    masked.length = 0;
    fake = await startFakeCloud();
  });
  afterEach(() => fake.stop());

  const start = (faults: FaultPlans = {}) => {
    fake.setFaults(faults);
    const rig = aTransport({ requestReason: 'ticket 42' });
    const { sts, iamcredentials: iamCredentials, oauth2 } = fake.bases;
    const cloud = createTokenServices({
      oidcSource: { kind: 'runner' },
      runtime: { env: fake.env, mask: (secret) => masked.push(secret) },
      endpoints: { sts, iamCredentials, oauth2 },
      transport: rig.transport,
      now: Date.now,
    });
    return { cloud, ...rig };
  };
  const scopes = ['https://www.googleapis.com/auth/cloud-platform'];
  const subject = 'user@example.com';
  const exchange = (cloud: ReturnType<typeof createTokenServices>) =>
    cloud.exchange({
      audience: `https://iam.googleapis.com/${fake.provider}`,
      provider: fake.provider,
      scope: cloudPlatformScope,
    });
  const account = () => fake.account.email;
  const claimsFor = (serviceAccount: string) =>
    delegationClaims({
      serviceAccount,
      subject,
      scopes,
      lifetimeSeconds: 3600,
      now: Date.now(),
    });

  it('let a job act as an account, with an access token and an ID token', async () => {
    const { cloud } = start();
    const federated = await exchange(cloud);
    const base = { serviceAccount: account(), delegates: [] };
    const access = await cloud.generateAccessToken({ ...base, lifetimeSeconds: 600, scopes }, federated.token);
    const id = await cloud.generateIdToken({ ...base, audience: 'https://app', includeEmail: true }, federated.token);

    expect(fake.tokens.ofKind('access token')).toMatchObject([
      { secret: access.token, principal: account(), expiresAtSeconds: Number(access.expiresAt) / 1000 },
    ]);
    expect(fake.tokens.ofKind('id token')).toMatchObject([{ secret: id.token }]);
    expect(masked).toEqual(expect.arrayContaining([federated.token, access.token, id.token, cloud.oidcToken]));
    expect(fake.requests.slice(1).map(({ headers }) => headers['x-goog-request-reason'])).toEqual(
      Array.from({ length: 3 }, () => 'ticket 42'),
    );
  });

  it('let a federated job act as a user', async () => {
    const { cloud } = start();
    const { token } = await exchange(cloud);
    const signed = await cloud.signJwt(
      { serviceAccount: account(), claims: claimsFor(account()), delegates: [] },
      token,
    );
    const granted = await cloud.exchangeAssertion(signed);

    expect(fake.tokens.ofKind('access token')).toMatchObject([{ secret: granted.token, principal: subject }]);
  });

  it('let a key act as its account and as a user', async () => {
    const { cloud } = start();
    const { private_key: pem, private_key_id: privateKeyId, client_email: clientEmail } = fake.serviceAccountKey();
    const key = { privateKey: createPrivateKey(pem), privateKeyId };
    const bearer = signAssertion(key, selfSignedClaims({ clientEmail, universe: fake.universe, now: Date.now() }));
    const request = { serviceAccount: clientEmail, delegates: [], lifetimeSeconds: 3600, scopes };

    await cloud.generateAccessToken(request, bearer);
    await cloud.exchangeAssertion(signAssertion(key, claimsFor(clientEmail)));

    expect(fake.tokens.ofKind('access token').map(({ principal }) => principal)).toEqual([clientEmail, subject]);
  });

  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'end with a token or one clear error on bad day %i, and reveal no secret',
    async (seed) => {
      const { cloud, waits, debugLines } = start(seededFaultPlan(seed));
      const impersonate = async () => {
        const { token } = await exchange(cloud);
        const request = { serviceAccount: account(), delegates: [], lifetimeSeconds: 600, scopes };
        return cloud.generateAccessToken(request, token);
      };
      const outcome = await impersonate().catch((error: unknown) => error);

      const told = isAppError(outcome) ? JSON.stringify([outcome.message, outcome.details]) : '';
      expect(outcome).toMatchObject(
        isAppError(outcome) ? { reason: expect.stringMatching(expectedReason) as string } : { token: masked.at(-1) },
      );
      expect(fake.tokens.leaks(`${told}\n${debugLines.join('\n')}`)).toEqual([]);
      expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(30_000);
    },
  );
});
