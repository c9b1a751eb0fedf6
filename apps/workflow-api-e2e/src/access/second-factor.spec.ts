import { Secret, TOTP } from 'otpauth';
import { aUser, password, setUpAdmin } from '../support/people';
import { startWeir, type Weir } from '../support/weir-server';

let weir: Weir;
let admin: string;
let person: { readonly id: string; readonly token: string };
/** An API key, which has no password. */
let key: string;
let secret: string;
let recoveryCodes: readonly string[];

const codeAt = (timestamp: number): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
const login = (code?: string) =>
  weir.request('POST', '/auth/login', {
    body: { username: 'grace', password, ...(code === undefined ? {} : { code }) },
  });
const send = (method: string, path: string, body?: object, token?: string) =>
  weir.request(method, `/auth/second-factor${path}`, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  });
const own = (method: string, path: string, body?: object) => send(method, path, body, person.token);
const refusal = (status: number, reason: string) => ({ status, body: { reason } });
const wrongCode = refusal(401, 'code_wrong');
const nothing = { password, code: 'nothing' };

async function begin(): Promise<number> {
  const { status, body } = await own('POST', '', { password });
  ({ secret } = body as { readonly secret: string });
  return status;
}

// The cases are one story, in this order: each is the state that the next one begins with.
beforeAll(async () => {
  weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
  admin = await setUpAdmin(weir);
  person = await aUser(weir, admin, 'viewer', 'grace');
  const made = await weir.request('POST', '/api-keys', { token: admin, body: { name: 'k', role: 'viewer' } });
  ({ key } = made.body as { readonly key: string });
}, 60_000);
afterAll(() => weir.dispose());

describe('POST /auth/second-factor', () => {
  it('returns 200 with a secret, which is not required yet', async () => {
    const { status, body } = await own('POST', '', { password });
    const { address } = body as { readonly address: string };

    expect(status).toBe(200);
    expect(address).toMatch(/^otpauth:\/\/totp\/Weir:grace\?/);
    expect((await login()).status).toBe(200);
  });

  it('returns 400, 401 and 403 for refused requests', async () => {
    expect((await own('POST', '', {})).status).toBe(400);
    expect((await send('POST', '', { password })).status).toBe(401);
    await expect(own('POST', '', { password: 'wrong' })).resolves.toMatchObject(refusal(401, 'current_password_wrong'));
    await expect(send('POST', '', { password }, key)).resolves.toMatchObject(refusal(403, 'no_password'));
  });
});

describe('POST /auth/second-factor/confirm', () => {
  const confirm = (body: object, token?: string) => send('POST', '/confirm', body, token);

  it('returns 400, 401, 403 and 409 for refused requests', async () => {
    expect((await confirm({}, person.token)).status).toBe(400);
    expect((await confirm(nothing)).status).toBe(401);
    await expect(confirm(nothing, person.token)).resolves.toMatchObject(wrongCode);
    await expect(confirm(nothing, key)).resolves.toMatchObject(refusal(403, 'no_password'));
    await expect(confirm(nothing, admin)).resolves.toMatchObject(refusal(409, 'second_factor_not_begun'));
  });

  it('returns 200 with ten recovery codes, and 409 afterwards', async () => {
    await begin();
    const { status, body } = await confirm({ code: codeAt(Date.now()) }, person.token);
    ({ recoveryCodes } = body as { readonly recoveryCodes: readonly string[] });
    const enabled = refusal(409, 'second_factor_enabled');

    expect(status).toBe(200);
    expect(new Set(recoveryCodes).size).toBe(10);
    await expect(confirm(nothing, person.token)).resolves.toMatchObject(enabled);
    await expect(own('POST', '', { password })).resolves.toMatchObject(enabled);
  });
});

describe('POST /auth/login', () => {
  it('returns 401 without a code, for an old one, and for a used one', async () => {
    await expect(login()).resolves.toMatchObject(refusal(401, 'code_required'));
    await expect(login(codeAt(Date.now() - 60_000))).resolves.toMatchObject(wrongCode);
    const code = codeAt(Date.now() + 30_000);

    await expect(login(code)).resolves.toMatchObject({ status: 200 });
    await expect(login(code)).resolves.toMatchObject(wrongCode);
  });

  it('accepts a recovery code once', async () => {
    const [code] = recoveryCodes;

    await expect(login(code)).resolves.toMatchObject({ status: 200 });
    await expect(login(code)).resolves.toMatchObject(wrongCode);
  });
});

describe('GET /auth/second-factor', () => {
  it('returns 200 with the number of remaining recovery codes, even to an API key, which has none', async () => {
    await expect(own('GET', '')).resolves.toMatchObject({
      status: 200,
      body: { isEnabled: true, recoveryCodesLeft: 9 },
    });
    await expect(send('GET', '', undefined, key)).resolves.toMatchObject({ body: { isEnabled: false } });
  });

  it('returns 401 without a credential', async () => {
    expect((await send('GET', '')).status).toBe(401);
  });
});

describe('POST /auth/second-factor/disable', () => {
  const disable = (body: object, token?: string) => send('POST', '/disable', body, token);

  it('returns 400, 401 and 403 for refused requests', async () => {
    const code = recoveryCodes[1];
    const wrongPassword = refusal(401, 'current_password_wrong');

    expect((await disable({}, person.token)).status).toBe(400);
    expect((await disable(nothing)).status).toBe(401);
    await expect(disable(nothing, person.token)).resolves.toMatchObject(wrongCode);
    await expect(disable({ password: 'wrong', code }, person.token)).resolves.toMatchObject(wrongPassword);
    await expect(disable(nothing, key)).resolves.toMatchObject(refusal(403, 'no_password'));
  });

  it('returns 204, after which the password is enough, and 404 without a second factor', async () => {
    expect((await disable({ password, code: recoveryCodes[1] }, person.token)).status).toBe(204);
    expect((await login()).status).toBe(200);
    await expect(disable(nothing, person.token)).resolves.toMatchObject(refusal(404, 'second_factor_not_found'));
  });
});

describe('DELETE /users/{userId}/second-factor', () => {
  const remove = (id: string, token?: string) =>
    weir.request('DELETE', `/users/${id}/second-factor`, token === undefined ? {} : { token });

  it('returns 204, after which the password is enough', async () => {
    await begin();
    await own('POST', '/confirm', { code: codeAt(Date.now()) });
    expect((await login()).status).toBe(401);

    expect((await remove(person.id, admin)).status).toBe(204);
    expect((await login()).status).toBe(200);
  });

  it('returns 401 without a credential, 403 to others, and 404 without a second factor', async () => {
    expect((await remove(person.id)).status).toBe(401);
    expect((await remove(person.id, person.token)).status).toBe(403);
    await expect(remove(person.id, admin)).resolves.toMatchObject(refusal(404, 'second_factor_not_found'));
    await expect(remove('nobody', admin)).resolves.toMatchObject(refusal(404, 'user_not_found'));
  });

  it('leaves entries without secrets in the audit log', async () => {
    const { body } = await weir.request('GET', '/audit?limit=200', { token: admin });
    const text = JSON.stringify(body);

    for (const action of ['begin', 'enable', 'disable', 'remove']) expect(text).toContain(`second_factor_${action}`);
    for (const hidden of [secret, ...recoveryCodes]) expect(text).not.toContain(hidden);
  });
});

it('returns 429 after ten wrong codes', async () => {
  await begin();
  const confirm = () => own('POST', '/confirm', nothing);
  for (let count = 0; count < 10; count += 1) await expect(confirm()).resolves.toMatchObject(wrongCode);

  await expect(confirm()).resolves.toMatchObject(refusal(429, 'too_many_attempts'));
});
