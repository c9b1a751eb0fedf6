import { Secret, TOTP } from 'otpauth';
import { createTestApi, testPassword, type TestApi } from '../../testing/test-api';

let api: TestApi;
let token: string;
let secret: string;
let recoveryCodes: readonly string[];

const wrong = { status: 401, body: { reason: 'code_wrong' } };
const locked = { status: 429, body: { reason: 'too_many_attempts' } };

/** The code that an authenticator shows so many periods from now. */
function code(periods = 0): string {
  const timestamp = api.clock.nowMs() + periods * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

const call = (route: `POST /${string}`, body?: object) => api.send(route, { as: token, ...(body && { body }) });
const login = (given?: string, from = '203.0.113.1') =>
  api.send('POST /auth/login', {
    body: { username: 'ada', password: testPassword, ...(given === undefined ? {} : { code: given }) },
    from,
  });

async function begin(): Promise<void> {
  secret = String((await call('POST /auth/second-factor', { password: testPassword })).body.secret);
}

beforeEach(async () => {
  api = await createTestApi();
  await api.addUser({ id: 'ada', username: 'ada' });
  token = await api.signIn({ username: 'ada' });
  await begin();
});
afterEach(() => api.stop());

async function enable(): Promise<void> {
  const { body } = await call('POST /auth/second-factor/confirm', { code: code(-1) });
  recoveryCodes = body.recoveryCodes as readonly string[];
}

describe('a second factor that was begun', () => {
  it('is not required, and is replaced when it is begun again', async () => {
    const replaced = code();
    await begin();

    await expect(login()).resolves.toMatchObject({ status: 200 });
    await expect(call('POST /auth/second-factor/confirm', { code: replaced })).resolves.toMatchObject(wrong);
    await expect(call('POST /auth/second-factor/confirm', { code: code() })).resolves.toMatchObject({ status: 200 });
  });

  it('is confirmed by one of concurrent requests', async () => {
    const confirm = () => call('POST /auth/second-factor/confirm', { code: code() });
    const statuses = (await Promise.all([confirm(), confirm(), confirm()])).map(({ status }) => status);

    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });
});

describe('a sign-in with a second factor', () => {
  beforeEach(enable);

  it.each([-1, 0, 1])('accepts a code of a clock that differs by %s periods, once', async (periods) => {
    api.clock.advance(60_000);
    const given = code(periods);

    await expect(login(given)).resolves.toMatchObject({ status: 200 });
    await expect(login(given)).resolves.toMatchObject(wrong);
  });

  it.each([-2, 2])('refuses a code of a clock that differs by %s periods', async (periods) => {
    api.clock.advance(90_000);
    await expect(login(code(periods))).resolves.toMatchObject(wrong);
  });

  it('refuses a code that is older than a used one', async () => {
    const older = code();
    await login(code(1));

    await expect(login(older)).resolves.toMatchObject(wrong);
  });

  it('accepts a code for one of several concurrent requests', async () => {
    const given = code();
    const statuses = await Promise.all([login(given), login(given), login(given)]);

    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
  });

  it('accepts each recovery code once, in any spelling', async () => {
    const [first = '', second = ''] = recoveryCodes;

    await expect(login(first.toUpperCase().replaceAll('-', ' '))).resolves.toMatchObject({ status: 200 });
    await expect(login(first)).resolves.toMatchObject(wrong);
    await expect(login(second)).resolves.toMatchObject({ status: 200 });
  });

  it('checks no code after ten wrong ones in 15 minutes, from any addresses', async () => {
    for (let last = 1; last <= 10; last += 1) {
      await expect(login('nothing', `203.0.113.${last}`)).resolves.toMatchObject(wrong);
    }
    await expect(login(code(), '203.0.113.99')).resolves.toMatchObject(locked);
    api.clock.advance(15 * 60_000);
    await expect(login(code(), '203.0.113.99')).resolves.toMatchObject({ status: 200 });
  });

  it('neither counts a request for the code as a failure nor clears failures', async () => {
    for (let count = 0; count < 6; count += 1)
      await expect(login()).resolves.toMatchObject({ status: 401, body: { reason: 'code_required' } });
    for (let count = 0; count < 5; count += 1) {
      await login('nothing');
      await login();
    }
    await expect(login(code())).resolves.toMatchObject(locked);
  });

  it('requests a code only from callers that know the password', async () => {
    const body = { username: 'ada', password: 'wrong', code: code() };
    await expect(api.send('POST /auth/login', { body })).resolves.toMatchObject({ body: { reason: 'login_failed' } });
  });

  it('returns 400 for a code that is no text', async () => {
    const body = { username: 'ada', password: testPassword, code: { $ne: '' } };
    await expect(api.send('POST /auth/login', { body })).resolves.toMatchObject({ status: 400 });
  });
});
