import { apiRefusal, type FakeAnswer } from './fake-answers';
import { bearerOf, demandMethod, isObject, parseJson, readJsonBody, type FakeCall } from './fake-call';
import type { FakeAccount } from './fake-cloud-types';
import { fakeRsaKey, signFakeToken } from './fake-keys';
import { findAccount, type FakeWorld } from './fake-world';
import { lifetimeOf, peekClaims, verifyFakeToken } from './verify-fake-token';

/** The credentials API: short-lived tokens and signatures of accounts, for who may act as them. */
export async function answerIam(world: FakeWorld, call: FakeCall): Promise<FakeAnswer> {
  if (call.path.endsWith('/allowedLocations')) return answerAllowedLocations(world, call);
  demandMethod(call, 'POST');
  const [, name = '', method = ''] = accountPath.exec(call.path) ?? [];
  const make = methods[method];
  if (make === undefined) throw apiRefusal(404, 'There is no such method, or the account path is wrong.');
  const principal = await principalOf(world, call);
  const body = readJsonBody(call, ['delegates', ...make.fields]);
  const account = demandAccount(world, decodeURIComponent(name));
  demandChain(world, principal, body.delegates, account);
  return { status: 200, body: make.answer(world, account, body) };
}

/** Where a principal may be used from: anywhere. Some clients ask on the side, once they have a token. */
async function answerAllowedLocations(world: FakeWorld, call: FakeCall): Promise<FakeAnswer> {
  demandMethod(call, 'GET');
  await principalOf(world, call);
  return { status: 200, body: { locations: [], encodedLocations: '0x0' } };
}

// The account belongs to one project, which need not and must not be told.
const accountPath = /^\/v1\/projects\/-\/serviceAccounts\/([^/:]+):([A-Za-z]+)$/;

type Body = Readonly<Record<string, unknown>>;

interface Method {
  readonly fields: readonly string[];
  readonly answer: (world: FakeWorld, account: FakeAccount, body: Body) => Body;
}

const methods: Readonly<Record<string, Method>> = {
  generateAccessToken: { fields: ['scope', 'lifetime'], answer: accessToken },
  generateIdToken: { fields: ['audience', 'includeEmail', 'useEmailAzp'], answer: idToken },
  signJwt: { fields: ['payload'], answer: signedJwt },
};

function accessToken(world: FakeWorld, { email }: FakeAccount, { scope, lifetime = '3600s' }: Body): Body {
  const scopes = readTexts(scope);
  if (scopes === undefined || scopes.length === 0) throw apiRefusal(400, 'The scope is not a list with content.');
  const seconds = Number(/^(\d{1,9})(?:\.0+)?s$/.exec(typeof lifetime === 'string' ? lifetime : '')?.[1] ?? 0);
  if (seconds === 0) throw apiRefusal(400, 'The lifetime is not a positive number of seconds followed by s.');
  if (seconds > world.maximumLifetimeSeconds) {
    throw apiRefusal(400, `The lifetime is longer than the ${world.maximumLifetimeSeconds} s that are allowed.`);
  }
  const expiresAtSeconds = world.nowSeconds() + seconds;
  const { secret } = world.secrets.issue('access token', { principal: email, scopes, expiresAtSeconds });
  return { accessToken: secret, expireTime: toTheSecond(expiresAtSeconds) };
}

function idToken(world: FakeWorld, account: FakeAccount, { audience, includeEmail = false }: Body): Body {
  if (typeof audience !== 'string' || audience === '') throw apiRefusal(400, 'The audience is missing.');
  if (typeof includeEmail !== 'boolean') throw apiRefusal(400, 'includeEmail is neither true nor false.');
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
  return { token: world.secrets.keep('id token', signFakeToken('cloud', claims), grant).secret };
}

function signedJwt(world: FakeWorld, account: FakeAccount, { payload }: Body): Body {
  const claims = typeof payload === 'string' ? parseJson(payload) : undefined;
  // A text that holds JSON parses too: to a text, of which no verifier can read a claim.
  if (!isObject(claims)) throw apiRefusal(400, 'The payload is not the JSON text of an object of claims.');
  if (claims.exp !== undefined && !(Number(claims.exp) <= world.nowSeconds() + 43_200)) {
    throw apiRefusal(400, 'The payload expires more than 12 hours from now.');
  }
  const grant = { principal: account.email, scopes: [], expiresAtSeconds: Number(claims.exp) };
  const { secret } = world.secrets.keep('signed jwt', signFakeToken('cloud', claims), grant);
  return { keyId: fakeRsaKey('cloud').id, signedJwt: secret };
}

const iamScopes = /^https:\/\/www\.[a-z0-9.-]+\/auth\/(cloud-platform|iam)$/;

/** Who the bearer is: a token of this cloud, or an account that signed for itself with its exported key. */
async function principalOf(world: FakeWorld, call: FakeCall): Promise<string> {
  const bearer = bearerOf(call.headers);
  if (bearer === undefined) throw apiRefusal(401, 'There is no bearer.');
  const known = world.secrets.find(bearer);
  if (known?.kind !== 'federated token' && known?.kind !== 'access token') return selfSigned(world, bearer);
  if (known.isRevoked || known.expiresAtSeconds <= world.nowSeconds()) {
    throw apiRefusal(401, 'The bearer is expired or revoked.');
  }
  if (!known.scopes.some((scope) => iamScopes.test(scope))) throw apiRefusal(403, 'The bearer lacks the scope.');
  return known.principal;
}

async function selfSigned(world: FakeWorld, bearer: string): Promise<string> {
  const account = findAccount(world, String(peekClaims(bearer).iss));
  if (account === undefined) throw apiRefusal(401, 'The bearer is not known.');
  const { claims, refusal } = await verifyFakeToken(world, bearer, {
    keys: ['exported'],
    issuer: account.email,
    audience: [`https://iamcredentials.${world.universe}/`],
  });
  if (refusal !== undefined) throw apiRefusal(401, `The self-signed bearer is not valid (${refusal}).`);
  if (claims.sub !== claims.iss) throw apiRefusal(401, 'The self-signed bearer is for somebody else.');
  if (!(lifetimeOf(claims) <= 3600)) throw apiRefusal(401, 'The self-signed bearer lives longer than an hour.');
  return account.email;
}

function demandAccount(world: FakeWorld, name: string): FakeAccount {
  const account = findAccount(world, name);
  if (account === undefined) throw apiRefusal(404, `The account ${name} does not exist.`);
  return account;
}

const delegateName = /^projects\/-\/serviceAccounts\/([^/]+)$/;

/** Each in the chain must be allowed to make tokens of the next. */
function demandChain(world: FakeWorld, principal: string, delegates: unknown, target: FakeAccount): void {
  const names = readTexts(delegates ?? []);
  if (names === undefined) throw apiRefusal(400, 'The delegates are not a list of texts.');
  const between = names.map((name) => {
    const account = delegateName.exec(name)?.[1];
    if (account === undefined) throw apiRefusal(400, 'A delegate is not written as projects/-/serviceAccounts/….');
    return demandAccount(world, account);
  });
  let before = principal;
  for (const account of [...between, target]) {
    const caller = before.startsWith('principal:') ? 'federation' : before;
    if (!account.impersonators.includes(caller)) {
      throw apiRefusal(403, `${before} lacks iam.serviceAccounts.getAccessToken on ${account.email}.`);
    }
    before = account.email;
  }
}

function readTexts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((each): each is string => typeof each === 'string' && each !== '');
  return texts.length === value.length ? texts : undefined;
}

// Some clients refuse a time with fractions of a second.
function toTheSecond(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
