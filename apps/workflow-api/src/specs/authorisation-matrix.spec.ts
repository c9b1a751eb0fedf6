import { AppError } from '@weir/foundation';
import { fillPath } from '@weir/api-client';
import { pathParameters, type Endpoint } from '@weir/http-contract';
import { roles, workflowContract, type UserRole } from '@weir/workflow-contract';
import jwt from 'jsonwebtoken';
import { createTestApi, testSecret, type TestApi } from '../testing/test-api';
import type { Bind } from '../access/bind';

type Verdict = 'let in' | 401 | 403;

const endpoints: readonly Endpoint[] = Object.values(workflowContract);

/**
 * Binds every endpoint of the contract. Those that the application bound before are taken by it; the others are
 * taken here, so that the guard is tried for all, those of the future too.
 */
const standIns = {
  bindRoutes: (bind: Bind) => {
    for (const endpoint of endpoints) {
      bind(endpoint, () => {
        throw new AppError('not_implemented', 'A stand-in.', { reason: 'stand_in' });
      });
    }
  },
};

let api: TestApi;
const tokens = new Map<UserRole, string>();
const keys = new Map<UserRole, string>();
const invalid = new Map<string, string | undefined>();

beforeAll(async () => {
  api = await createTestApi({ features: [standIns] });
  for (const role of roles) {
    tokens.set(role, await api.createToken(role));
    keys.set(role, (await api.addApiKey({ role })).key);
  }
  await prepareInvalidCredentials();
});
afterAll(() => api.stop());

const invalidNames = [
  'no credential',
  'an expired token',
  'a tampered token',
  'the token of a disabled admin',
  'the token of a deleted admin',
  'a revoked key',
  'an expired key',
  'an unknown key',
] as const;

/** All of them would be an admin's, if they were valid. */
async function prepareInvalidCredentials(): Promise<void> {
  const admin = await api.addUser({ id: 'admin', username: 'admin' });
  const token = await api.signIn(admin);
  const [head, , signature] = token.split('.');
  const claims = jwt.decode(token, { json: true }) ?? {};
  const longer = Buffer.from(JSON.stringify({ ...claims, exp: (claims.exp ?? 0) + 60 })).toString('base64url');
  const disabled = await api.addUser({ id: 'disabled', username: 'disabled' });
  const deleted = await api.addUser({ id: 'deleted', username: 'deleted' });
  const [ofDisabled, ofDeleted] = [await api.signIn(disabled), await api.signIn(deleted)];
  await api.send('PATCH /users/disabled', { as: token, body: { isDisabled: true } });
  await api.send('DELETE /users/deleted', { as: token });
  const revoked = await api.addApiKey({ role: 'admin' });
  await api.send(`DELETE /api-keys/${revoked.apiKey.id}`, { as: token });
  const expired = await api.addApiKey({ role: 'admin', expiresAt: new Date(api.clock.nowMs() - 1) });
  const unknown = `${expired.key.slice(0, -1)}${expired.key.endsWith('2') ? '3' : '2'}`;
  const values: Record<(typeof invalidNames)[number], string | undefined> = {
    'no credential': undefined,
    'an expired token': jwt.sign({ ...claims, iat: 1, exp: 2 }, testSecret.reveal()),
    'a tampered token': [head, longer, signature].join('.'),
    'the token of a disabled admin': ofDisabled,
    'the token of a deleted admin': ofDeleted,
    'a revoked key': revoked.key,
    'an expired key': expired.key,
    'an unknown key': unknown,
  };
  for (const [name, value] of Object.entries(values)) invalid.set(name, value);
}

async function toVerdict({ method, path }: Endpoint, credential: string | undefined): Promise<Verdict> {
  const address = fillPath(path, Object.fromEntries(pathParameters(path).map((name) => [name, 'x-1'])));
  const answer = await api.send(
    `${method} ${address as `/${string}`}`,
    credential === undefined ? {} : { as: credential },
  );
  // Without its body a call gets no further than the check of its input, so the calls change nothing.
  expect(answer.body.reason).not.toBe('route_not_found');
  // The operation checks a credential of its own, as everyone may try.
  if (answer.body.reason === 'webhook_token_invalid') return 'let in';
  if (answer.status === 401 || answer.status === 403) return answer.status;
  return 'let in';
}

function expectedStatus({ access }: Endpoint, role: UserRole | undefined): Verdict {
  if (access === 'public' || access === 'login') return 'let in';
  if (role === undefined) return 401;
  return access === 'authenticated' || access.includes(role) ? 'let in' : 403;
}

const named = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

describe.each(named)('%s', (_, endpoint) => {
  it.each(roles)('is open to %s as its access says, with a token and with a key', async (role) => {
    const expected = expectedStatus(endpoint, role);

    await expect(toVerdict(endpoint, tokens.get(role))).resolves.toBe(expected);
    await expect(toVerdict(endpoint, keys.get(role))).resolves.toBe(expected);
  });

  it.each(invalidNames)('is open to %s only where it is public', async (name) => {
    expect(invalid.has(name)).toBe(true);
    await expect(toVerdict(endpoint, invalid.get(name))).resolves.toBe(expectedStatus(endpoint, undefined));
  });
});

describe('the contract', () => {
  it('opens only operations that have to be public', () => {
    const open = endpoints.filter(({ access }) => access === 'public' || access === 'login').map(({ path }) => path);
    expect(open.toSorted()).toEqual([
      ...[
        '/auth/login',
        '/auth/setup',
        '/auth/state',
        '/health',
        '/health/live',
        '/sync/webhook',
        '/webhooks/{fileName}',
      ],
    ]);
  });

  it('leaves users and keys to admins', () => {
    const managed = endpoints.filter(({ path }) => /^\/(users|api-keys)/.test(path));

    expect(managed).toHaveLength(16);
    for (const { access } of managed) expect(access).toEqual(['admin']);
  });
});
