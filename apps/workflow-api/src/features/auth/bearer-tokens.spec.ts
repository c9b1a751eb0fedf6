import { createHmac, generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { createTestApi, testPassword, testSecret, type TestApi } from '../../testing/test-api';
import type { User } from '../../access/user';

let api: TestApi;
let user: User;

beforeEach(async () => {
  api = await createTestApi();
  user = await api.addUser({ id: 'user-1', username: 'ada', role: 'operator' });
});
afterEach(() => api.stop());

const requestStatus = async (token: string) => (await api.send('GET /auth/me', { as: token })).status;

const claims = (changes: Record<string, unknown> = {}) => ({
  sub: user.id,
  iss: 'weir',
  aud: 'weir-workflow-api',
  ver: user.tokenVersion,
  exp: Math.floor(Date.now() / 1000) + 60,
  ...changes,
});
// Through text, which drops what is undefined: the library refuses to sign a claim without a value.
const signed = (payload: object, options: jwt.SignOptions = {}, key = testSecret.reveal()) =>
  jwt.sign(JSON.parse(JSON.stringify(payload)) as object, key, { algorithm: 'HS256', ...options });
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a bearer token', () => {
  it('is accepted as the API signs it', async () => {
    const token = await api.signIn(user);

    await expect(requestStatus(token)).resolves.toBe(200);
    expect(jwt.decode(token, { complete: true })).toMatchObject({
      header: { alg: 'HS256', typ: 'JWT' },
      payload: { sub: user.id, uid: user.id, username: 'ada', role: 'operator', iss: 'weir', aud: 'weir-workflow-api' },
    });
  });

  it('is accepted with the claims that the specs below start from', async () => {
    await expect(requestStatus(signed(claims()))).resolves.toBe(200);
  });

  it.each([
    ['is signed with another secret', () => signed(claims(), {}, 'another-signing-key-of-32-characters-and-more')],
    ['is signed with HS512 and our secret', () => signed(claims(), { algorithm: 'HS512' })],
    ['is signed with HS384 and our secret', () => signed(claims(), { algorithm: 'HS384' })],
    ['says that it needs no signature', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims())}.`],
    ['says so in another spelling', () => `${encode({ alg: 'NonE', typ: 'JWT' })}.${encode(claims())}.`],
    ['has its signature cut off', () => signed(claims()).replace(/[^.]*$/, '')],
    ['has other claims than were signed', () => withClaims(signed(claims({ sub: 'nobody' })), claims())],
    ['has a changed signature', () => changeLast(signed(claims()))],
    ['comes from another issuer', () => signed(claims({ iss: 'another' }))],
    ['names no issuer', () => signed(claims({ iss: undefined }))],
    ['is meant for another audience', () => signed(claims({ aud: 'another' }))],
    ['names no audience', () => signed(claims({ aud: undefined }))],
    ['is expired', () => signed(claims({ exp: Math.floor(Date.now() / 1000) - 1 }))],
    ['never expires', () => signed(claims({ exp: undefined }))],
    ['is not valid yet', () => signed(claims({ nbf: Math.floor(Date.now() / 1000) + 60 }))],
    ['lacks the token version', () => signed(claims({ ver: undefined }))],
    ['has text for a token version', () => signed(claims({ ver: '0' }))],
    ['has a later token version', () => signed(claims({ ver: 1 }))],
    ['names no user', () => signed(claims({ sub: undefined }))],
    ['names a user that does not exist', () => signed(claims({ sub: 'nobody' }))],
    ['carries text in place of claims', () => jwt.sign(user.id, testSecret.reveal(), { algorithm: 'HS256' })],
    ['is longer than any token of ours', () => signed(claims({ padding: 'x'.repeat(5000) }))],
    ['is no token at all', () => 'not.a.token'],
  ])('is refused when it %s', async (_, makeToken) => {
    const answer = await api.send('GET /auth/me', { as: makeToken() });

    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized', reason: 'credential_invalid' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="weir"');
  });

  it('is refused when its user is disabled, with any version', async () => {
    const disabled = await api.addUser({ id: 'user-2', username: 'grace', isDisabled: true });
    await expect(requestStatus(signed(claims({ sub: disabled.id })))).resolves.toBe(401);
  });

  it('is refused when it is signed with RS256, and with HS256 by the public half of that key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const head = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims())}`;
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    const confused = `${head}.${createHmac('sha256', pem).update(head).digest('base64url')}`;

    await expect(requestStatus(jwt.sign(claims(), privateKey, { algorithm: 'RS256' }))).resolves.toBe(401);
    await expect(requestStatus(confused)).resolves.toBe(401);
  });

  it.each([
    ['Bearer', 'Bearer '],
    ['bearer', 'bearer '],
    ['BEARER', 'BEARER '],
    ['Bearer with two blanks', 'Bearer  '],
  ])('is accepted after %s', async (_, scheme) => {
    const headers = { authorization: `${scheme}${await api.signIn(user)}` };
    await expect(api.send('GET /auth/me', { headers })).resolves.toMatchObject({ status: 200 });
  });

  it.each([
    ['without a scheme', (token: string) => token],
    ['after another scheme', (token: string) => `Token ${token}`],
    ['as a password of Basic', (token: string) => `Basic ${Buffer.from(`ada:${token}`).toString('base64')}`],
    ['with something behind it', (token: string) => `Bearer ${token} x`],
  ])('is refused %s', async (_, headerOf) => {
    const headers = { authorization: headerOf(await api.signIn(user)) };
    await expect(api.send('GET /auth/me', { headers })).resolves.toMatchObject({ status: 401 });
  });

  it.each(['token', 'access_token', 'auth_token'])('is ignored in the query as %s', async (name) => {
    const token = await api.signIn(user);
    await expect(api.send(`GET /auth/me?${name}=${token}`)).resolves.toMatchObject({ status: 401 });
  });

  it.each(['auth_token', 'access_token', 'token'])('is ignored in the body as %s', async (name) => {
    const body = { [name]: await api.signIn(user), currentPassword: testPassword, newPassword: 'another sentence' };
    await expect(api.send('POST /auth/change-password', { body })).resolves.toMatchObject({ status: 401 });
  });
});

describe('the token of a user', () => {
  let token: string;
  let asAdmin: string;

  beforeEach(async () => {
    token = await api.signIn(user);
    asAdmin = await api.createToken('admin');
  });
  const patch = (body: object) => api.send(`PATCH /users/${user.id}`, { as: asAdmin, body });

  it('ends with the user', async () => {
    await api.send(`DELETE /users/${user.id}`, { as: asAdmin });
    await expect(requestStatus(token)).resolves.toBe(401);
  });

  it('ends when the user is disabled, and does not come back with the user', async () => {
    await patch({ isDisabled: true });
    await expect(requestStatus(token)).resolves.toBe(401);

    await patch({ isDisabled: false });
    await expect(requestStatus(token)).resolves.toBe(401);
    await expect(requestStatus(await api.signIn(user))).resolves.toBe(200);
  });

  it('ends when an admin resets the password', async () => {
    const body = { newPassword: 'set by an admin' };
    await api.send(`POST /users/${user.id}/reset-password`, { as: asAdmin, body });

    await expect(requestStatus(token)).resolves.toBe(401);
  });

  it('ends when the user changes the password', async () => {
    const body = { currentPassword: testPassword, newPassword: 'another long sentence' };
    await api.send('POST /auth/change-password', { as: token, body });

    await expect(requestStatus(token)).resolves.toBe(401);
  });

  it('stays valid when the user is renamed, and shows the new name', async () => {
    await patch({ username: 'grace' });
    const answer = await api.send('GET /auth/me', { as: token });

    expect(answer).toMatchObject({ status: 200, body: { user: { username: 'grace' } } });
  });

  it('carries no rights: the stored role counts, not the signed one', async () => {
    await patch({ role: 'admin' });
    await expect(api.send('GET /users', { as: token })).resolves.toMatchObject({ status: 200 });

    await patch({ role: 'viewer' });
    await expect(api.send('GET /users', { as: token })).resolves.toMatchObject({ status: 403 });
    const forged = signed(claims({ role: 'admin' }));
    await expect(api.send('GET /users', { as: forged })).resolves.toMatchObject({ status: 403 });
  });
});

function withClaims(token: string, payload: object): string {
  const [head, , signature] = token.split('.');
  return [head, encode(payload), signature].join('.');
}

/** The last but one: the last character of a signature holds bits that do not count. */
function changeLast(token: string): string {
  const at = token.length - 2;
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}
