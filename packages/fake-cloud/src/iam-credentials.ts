import { apiRejection, type FakeResponse } from './responses';
import { readBearer, requireMethod, isObject, parseJson, readJsonBody, type FakeCall } from './call';
import type { FakeAccount } from './fake-cloud';
import { fakeRsaKey, signFakeToken } from './rsa-keys';
import { findAccount, type FakeWorld } from './world';
import { readLifetime, decodeClaims, verifyFakeToken } from './verify-token';

/** The IAM Service Account Credentials API: issues tokens and signatures to principals that can impersonate accounts. */
export async function handleIam(world: FakeWorld, call: FakeCall): Promise<FakeResponse> {
  if (call.path.endsWith('/allowedLocations')) return handleAllowedLocations(world, call);
  requireMethod(call, 'POST');
  const [, name = '', method = ''] = accountPath.exec(call.path) ?? [];
  const make = methods[method];
  if (make === undefined) throw apiRejection(404, 'There is no such method, or the account path is wrong.');
  const principal = await findPrincipal(world, call);
  const body = readJsonBody(call, ['delegates', ...make.fields]);
  const account = requireAccount(world, decodeURIComponent(name));
  requireChain(world, principal, body.delegates, account);
  return { status: 200, body: make.createBody(world, account, body) };
}

/** Some clients request the allowed locations in the background. Every location is allowed. */
async function handleAllowedLocations(world: FakeWorld, call: FakeCall): Promise<FakeResponse> {
  requireMethod(call, 'GET');
  await findPrincipal(world, call);
  return { status: 200, body: { locations: [], encodedLocations: '0x0' } };
}

// The project must be given as `-`.
const accountPath = /^\/v1\/projects\/-\/serviceAccounts\/([^/:]+):([A-Za-z]+)$/;

type Body = Readonly<Record<string, unknown>>;

interface Method {
  readonly fields: readonly string[];
  readonly createBody: (world: FakeWorld, account: FakeAccount, body: Body) => Body;
}

const methods: Readonly<Record<string, Method>> = {
  generateAccessToken: { fields: ['scope', 'lifetime'], createBody: accessToken },
  generateIdToken: { fields: ['audience', 'includeEmail', 'useEmailAzp'], createBody: idToken },
  signJwt: { fields: ['payload'], createBody: signedJwt },
};

function accessToken(world: FakeWorld, { email }: FakeAccount, { scope, lifetime = '3600s' }: Body): Body {
  const scopes = readStrings(scope);
  if (scopes === undefined || scopes.length === 0) throw apiRejection(400, 'The scope is not a list with content.');
  const seconds = Number(/^(\d{1,9})(?:\.0+)?s$/.exec(typeof lifetime === 'string' ? lifetime : '')?.[1] ?? 0);
  if (seconds === 0) throw apiRejection(400, 'The lifetime is not a positive number of seconds followed by s.');
  if (seconds > world.maximumLifetimeSeconds) {
    throw apiRejection(400, `The lifetime is longer than the ${world.maximumLifetimeSeconds} s that are allowed.`);
  }
  const expiresAtSeconds = world.nowSeconds() + seconds;
  const { secret } = world.secrets.issue('access token', { principal: email, scopes, expiresAtSeconds });
  return { accessToken: secret, expireTime: formatUtcSeconds(expiresAtSeconds) };
}

function idToken(world: FakeWorld, account: FakeAccount, { audience, includeEmail = false }: Body): Body {
  if (typeof audience !== 'string' || audience === '') throw apiRejection(400, 'The audience is missing.');
  if (typeof includeEmail !== 'boolean') throw apiRejection(400, 'includeEmail is neither true nor false.');
  const { email, uniqueId } = account;
  const iat = world.nowSeconds();
  const claims = {
    iss: 'https://accounts.google.com',
    aud: audience,
    azp: uniqueId,
    sub: uniqueId,
    iat,
    exp: iat + 3600,
    ...(includeEmail ? { email, email_verified: true } : {}),
  };
  const grant = { principal: email, scopes: [], expiresAtSeconds: claims.exp };
  return { token: world.secrets.add('id token', signFakeToken('cloud', claims), grant).secret };
}

function signedJwt(world: FakeWorld, account: FakeAccount, { payload }: Body): Body {
  const claims = typeof payload === 'string' ? parseJson(payload) : undefined;
  // Claims that were serialized twice parse to a string, from which no verifier can read a claim.
  if (!isObject(claims)) throw apiRejection(400, 'The payload is not the JSON text of an object of claims.');
  if (claims.exp !== undefined && !(Number(claims.exp) <= world.nowSeconds() + 43_200)) {
    throw apiRejection(400, 'The payload expires more than 12 hours from now.');
  }
  const grant = { principal: account.email, scopes: [], expiresAtSeconds: Number(claims.exp) };
  const { secret } = world.secrets.add('signed jwt', signFakeToken('cloud', claims), grant);
  return { keyId: fakeRsaKey('cloud').id, signedJwt: secret };
}

const iamScopes = /^https:\/\/www\.[a-z0-9.-]+\/auth\/(cloud-platform|iam)$/;

/** The principal of the bearer token, which this cloud issued or an account signed with its key. */
async function findPrincipal(world: FakeWorld, call: FakeCall): Promise<string> {
  const bearer = readBearer(call.headers);
  if (bearer === undefined) throw apiRejection(401, 'There is no bearer token.');
  const known = world.secrets.find(bearer);
  if (known?.kind !== 'federated token' && known?.kind !== 'access token') return verifySelfSigned(world, bearer);
  if (known.isRevoked || known.expiresAtSeconds <= world.nowSeconds()) {
    throw apiRejection(401, 'The bearer token is expired or revoked.');
  }
  if (!known.scopes.some((scope) => iamScopes.test(scope)))
    throw apiRejection(403, 'The bearer token lacks the scope.');
  return known.principal;
}

async function verifySelfSigned(world: FakeWorld, bearer: string): Promise<string> {
  const account = findAccount(world, String(decodeClaims(bearer).iss));
  if (account === undefined) throw apiRejection(401, 'The bearer token is unknown.');
  const { claims, refusal } = await verifyFakeToken(world, bearer, {
    keys: ['exported'],
    issuer: account.email,
    audience: [`https://iamcredentials.${world.universe}/`],
  });
  if (refusal !== undefined) throw apiRejection(401, `The self-signed token is invalid (${refusal}).`);
  if (claims.sub !== claims.iss) throw apiRejection(401, 'The subject of the self-signed token is another account.');
  if (!(readLifetime(claims) <= 3600))
    throw apiRejection(401, 'The lifetime of the self-signed token is longer than an hour.');
  return account.email;
}

function requireAccount(world: FakeWorld, name: string): FakeAccount {
  const account = findAccount(world, name);
  if (account === undefined) throw apiRejection(404, `The account ${name} does not exist.`);
  return account;
}

const delegateName = /^projects\/-\/serviceAccounts\/([^/]+)$/;

/** Each account in the chain must be able to impersonate the next one. */
function requireChain(world: FakeWorld, principal: string, delegates: unknown, target: FakeAccount): void {
  const names = readStrings(delegates ?? []);
  if (names === undefined) throw apiRejection(400, 'The delegates are not a list of strings.');
  const chain = names.map((name) => {
    const account = delegateName.exec(name)?.[1];
    if (account === undefined) throw apiRejection(400, 'A delegate is not written as projects/-/serviceAccounts/….');
    return requireAccount(world, account);
  });
  let before = principal;
  for (const account of [...chain, target]) {
    const caller = before.startsWith('principal:') ? 'federation' : before;
    if (!account.impersonators.includes(caller)) {
      throw apiRejection(403, `${before} lacks iam.serviceAccounts.getAccessToken on ${account.email}.`);
    }
    before = account.email;
  }
}

function readStrings(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((each): each is string => typeof each === 'string' && each !== '');
  return texts.length === value.length ? texts : undefined;
}

// Some clients reject a time with fractional seconds.
function formatUtcSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
