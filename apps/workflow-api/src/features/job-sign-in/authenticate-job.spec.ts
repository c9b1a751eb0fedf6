import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { createTestApi, type TestApi } from '../../testing/test-api';
import { systemClock } from '../../adapters/clock';
import { createJobSignIn } from './authenticate-job';
import { parseTrustRules } from './trust-rules';

const audience = 'https://weir.example.com';
const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A CI platform: its discovery document and its keys. */
interface Issuer {
  readonly url: string;
  /** Instead of the true address of the issuer in the discovery document. */
  claimed: string | undefined;
  isDown: boolean;
  readonly server: Server;
}

async function startIssuer(publicKey: KeyObject): Promise<Issuer> {
  const server = createServer((request, response) => {
    if (issuer.isDown) {
      response.writeHead(503).end();
      return;
    }
    const document =
      request.url === '/keys'
        ? { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' }] }
        : { issuer: issuer.claimed ?? issuer.url, jwks_uri: `${issuer.url}/keys` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: Issuer = { url, claimed: undefined, isDown: false, server };
  return issuer;
}

let platform: Issuer;
let other: Issuer;
let api: TestApi;

const rulesOf = (issuer: string) => `
- issuer: ${issuer}
  audience: ${audience}
  rules:
    - claims: { repository: my-org/shop, environment: production }
      role: manager
    - claims: { repository: my-org/shop, ref: refs/heads/* }
      role: operator
      workspaces: [Shop]
`;

beforeAll(async () => {
  platform = await startIssuer(ours.publicKey);
  other = await startIssuer(foreign.publicKey);
});
afterAll(() => {
  for (const { server } of [platform, other]) server.close().closeAllConnections();
});
beforeEach(async () => {
  Object.assign(platform, { claimed: undefined, isDown: false });
  const issuers = parseTrustRules(rulesOf(platform.url));
  api = await createTestApi({
    jobSignIn: createJobSignIn({ issuers, fetch: (url, init) => fetch(url, init), clock: systemClock }),
  });
});
afterEach(() => api.stop());

const seconds = () => Math.floor(Date.now() / 1000);
const claimsOf = (changes: object = {}) => ({
  iss: platform.url,
  aud: audience,
  sub: 'repo:my-org/shop:ref:refs/heads/main',
  iat: seconds(),
  exp: seconds() + 300,
  repository: 'my-org/shop',
  ref: 'refs/heads/main',
  ...changes,
});
const sign = (changes: object = {}, key = ours.privateKey, header: Partial<jwt.JwtHeader> = {}) =>
  jwt.sign(claimsOf(changes), key, { algorithm: 'RS256', header: { alg: 'RS256', kid: 'k1', ...header } });
const me = (token: string) => api.send('GET /auth/me', { as: token });
const check = async (token: string) =>
  api.send('POST /job-sign-in/check', { as: await api.createToken('admin'), body: { token } });
/** The result of each check by its name. */
const resultsOf = ({ body }: Awaited<ReturnType<typeof check>>) =>
  Object.fromEntries((body.checks as { name: string; result: string }[]).map(({ name, result }) => [name, result]));
const refused = { status: 401, body: { reason: 'credential_invalid' } };

describe('the token of a CI job', () => {
  it('is a credential with the rights of the first rule that it meets', async () => {
    await expect(me(sign())).resolves.toMatchObject({
      status: 200,
      body: {
        user: {
          id: `job:${platform.url} repo:my-org/shop:ref:refs/heads/main`,
          role: 'viewer',
          workspaceAccess: { all: false, grants: [{ workspace: 'shop', role: 'operator' }] },
        },
      },
    });
    await expect(me(sign({ environment: 'production' }))).resolves.toMatchObject({
      body: { user: { role: 'manager', workspaceAccess: { all: true } } },
    });
  });

  it('changes no password and has no sessions', async () => {
    const token = sign({ environment: 'production' });
    const body = { currentPassword: 'x', newPassword: 'a rather long sentence' };

    await expect(api.send('POST /auth/change-password', { as: token, body })).resolves.toMatchObject({ status: 403 });
    await expect(api.send('GET /auth/sessions', { as: token })).resolves.toMatchObject({ body: { sessions: [] } });
    await expect(api.send('GET /users', { as: token })).resolves.toMatchObject({ status: 403 });
  });

  it.each([
    ['of another repository', { repository: 'my-org/shop2' }],
    ['of a fork with the name of the repository', { repository: 'attacker/shop' }],
    ['of a tag', { ref: 'refs/tags/v1' }],
    ['without the claims of any rule', { repository: undefined, ref: undefined }],
    ['for another service', { aud: 'https://other.example.com' }],
    ['of an issuer that nobody trusts', { iss: 'https://attacker.example.com' }],
    ['that has expired', { exp: 1000, iat: 900 }],
    ['that is not valid yet', { nbf: Math.floor(Date.now() / 1000) + 3600 }],
    ['from the future', { iat: Math.floor(Date.now() / 1000) + 3600, exp: Math.floor(Date.now() / 1000) + 7200 }],
  ])('%s is no credential', async (_, changes) => {
    await expect(me(sign(changes))).resolves.toMatchObject(refused);
    await expect(check(sign(changes))).resolves.toMatchObject({ status: 200, body: { accepted: false } });
  });

  const publicPem = () => ours.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it.each<[string, () => string]>([
    ['signed with another key', () => sign({}, foreign.privateKey)],
    ['of another trusted key id', () => sign({}, ours.privateKey, { kid: 'k2' })],
    [
      'with a key of its own',
      () => sign({}, foreign.privateKey, { jwk: foreign.publicKey.export({ format: 'jwk' }) } as object),
    ],
    ['that names where its key is', () => sign({}, foreign.privateKey, { jku: `${other.url}/keys` })],
    ['without a signature', () => `${encode({ alg: 'none' })}.${encode(claimsOf())}.`],
    ['without a signature, in capitals', () => `${encode({ alg: 'NONE', kid: 'k1' })}.${encode(claimsOf())}.`],
    ['whose signature was removed', () => sign().replace(/[^.]+$/, '')],
    [
      'signed with the public key as a password',
      () => jwt.sign(claimsOf(), Buffer.from(publicPem()), { algorithm: 'HS256', header: { alg: 'HS256', kid: 'k1' } }),
    ],
    [
      'with changed claims',
      () =>
        sign()
          .split('.')
          .with(1, encode(claimsOf({ environment: 'production' })))
          .join('.'),
    ],
    ['of more than 16 KiB', () => sign({ padding: 'x'.repeat(12_000) }).repeat(2)],
  ])('%s is no credential', async (_, forge) => {
    const { status } = await me(forge());
    expect([401, 431]).toContain(status);
    const checked = await check(forge());
    if (checked.status === 200) expect(checked.body).toMatchObject({ accepted: false, rules: [] });
  });

  it('of one issuer with the claims of another is no credential', async () => {
    // The keys of the other platform are genuine, and it is trusted by nobody for these claims.
    await expect(me(sign({ iss: other.url }, foreign.privateKey))).resolves.toMatchObject(refused);
    await expect(me(sign({ iss: platform.url }, foreign.privateKey))).resolves.toMatchObject(refused);
  });

  it('is no session: a sign-in with a password does not accept it', async () => {
    const body = { username: 'ada', password: sign() };
    await expect(api.send('POST /auth/login', { body })).resolves.toMatchObject({ status: 401 });
  });

  it('is answered 502 while the keys cannot be read, and accepted afterwards', async () => {
    platform.isDown = true;
    await expect(me(sign())).resolves.toMatchObject({ status: 502, body: { reason: 'jwks_unavailable' } });
    platform.isDown = false;
    await expect(me(sign())).resolves.toMatchObject({ status: 200 });
  });

  it('is not accepted by the keys of a document that names another issuer', async () => {
    platform.claimed = other.url;
    await expect(me(sign())).resolves.toMatchObject({ status: 502 });
  });
});

describe('the check of a token', () => {
  it('names the rule that counts, and compares each claim of every rule', async () => {
    await expect(check(sign())).resolves.toMatchObject({
      status: 200,
      body: {
        accepted: true,
        issuer: platform.url,
        rules: [
          {
            matches: false,
            claims: [
              { claim: 'repository', accepted: ['my-org/shop'], actual: ['my-org/shop'], matches: true },
              { claim: 'environment', accepted: ['production'], actual: [], matches: false },
            ],
            role: 'manager',
            workspaces: null,
          },
          {
            matches: true,
            claims: [{}, { claim: 'ref', accepted: ['refs/heads/*'], actual: ['refs/heads/main'], matches: true }],
            role: 'operator',
            workspaces: ['shop'],
          },
        ],
      },
    });
    expect((await check(sign())).body.checks).toContainEqual({
      name: 'rules',
      result: 'passed',
      message: 'Rule 2 counts.',
    });
  });

  const everything = {
    issuer: 'passed',
    signature: 'passed',
    claims: 'passed',
    audience: 'passed',
    expiry: 'passed',
    rules: 'passed',
  };
  const nothing = { signature: 'skipped', claims: 'skipped', audience: 'skipped', expiry: 'skipped', rules: 'skipped' };

  it.each([
    ['finds nothing wrong', {}, everything],
    ['finds that it has expired, and still compares it', { iat: 900, exp: 1000 }, { ...everything, expiry: 'failed' }],
    ['finds that it is not valid yet', { nbf: seconds() + 200 }, { ...everything, expiry: 'failed' }],
    ['finds another audience', { aud: ['a', 'b'] }, { ...everything, audience: 'failed' }],
    ['finds no audience', { aud: undefined }, { ...nothing, issuer: 'passed', signature: 'passed', claims: 'failed' }],
    [
      'finds that it is never valid',
      { nbf: seconds() + 3600 },
      { ...nothing, issuer: 'passed', signature: 'passed', claims: 'failed' },
    ],
    ['finds no rule', { ref: 'refs/tags/v1' }, { ...everything, rules: 'failed' }],
    ['finds an unknown issuer', { iss: 'https://ci.example.com' }, { ...nothing, issuer: 'failed' }],
    [
      'finds all at once',
      { aud: 'a', iat: 900, exp: 1000, repository: undefined },
      { ...everything, audience: 'failed', expiry: 'failed', rules: 'failed' },
    ],
  ])('%s', async (_, changes, results) => {
    expect(resultsOf(await check(sign(changes)))).toEqual(results);
  });

  it('shows no claims of a token that is not genuine, and asks for keys of trusted issuers only', async () => {
    const forged = await check(sign({ iss: platform.url }, foreign.privateKey));
    expect(forged.body.rules).toEqual([]);
    expect(resultsOf(forged)).toEqual({ ...nothing, issuer: 'passed', signature: 'failed' });
    expect(resultsOf(await check('no token'))).toEqual({ ...nothing, issuer: 'failed' });
  });

  it('reports that the keys of the issuer cannot be read', async () => {
    platform.isDown = true;
    expect(resultsOf(await check(sign()))).toEqual({ ...nothing, issuer: 'passed', signature: 'failed' });
  });

  it('does not log the token', async () => {
    const token = sign();
    await check(token);
    const kept = JSON.stringify(api.logger.entries);
    for (const part of token.split('.')) expect(kept).not.toContain(part);
  });

  it('is for admins', async () => {
    const as = await api.createToken('manager');
    expect((await api.send('GET /job-sign-in/rules', { as })).status).toBe(403);
    expect((await api.send('POST /job-sign-in/check', { as, body: { token: sign() } })).status).toBe(403);
  });
});
