import { unauthorized } from '../../testing/answers';
import { useTestApi } from '../../testing/use-test-api';

const test = useTestApi();

describe('an API key as a credential', () => {
  const listUsers = (as: string) => test.api.send('GET /users', { as });

  it('has the rights of its role', async () => {
    const { key } = await test.api.addApiKey({ role: 'admin' });
    await expect(listUsers(key)).resolves.toMatchObject({ status: 200 });
  });

  it('has no rights that its role lacks, for any creator', async () => {
    const { key } = await test.api.addApiKey({ role: 'manager', createdBy: 'admin-1' });
    await expect(listUsers(key)).resolves.toMatchObject({ status: 403, body: { reason: 'role_missing' } });
  });

  it('follows a change of its role at once', async () => {
    const { apiKey, key } = await test.api.addApiKey({ role: 'admin' });
    await test.api.send(`PATCH /api-keys/${apiKey.id}`, { as: test.asAdmin, body: { role: 'viewer' } });

    await expect(listUsers(key)).resolves.toMatchObject({ status: 403 });
  });

  it('works until the moment of its expiry', async () => {
    const { key } = await test.api.addApiKey({ role: 'admin', expiresAt: new Date(test.api.clock.nowMs() + 1000) });
    test.api.clock.advance(999);
    await expect(listUsers(key)).resolves.toMatchObject({ status: 200 });

    test.api.clock.advance(1);
    await expect(listUsers(key)).resolves.toMatchObject(unauthorized);
  });

  it.each([
    ['with another last character', (key: string) => `${key.slice(0, -1)}${key.endsWith('2') ? '3' : '2'}`],
    ['with its prefix alone', (key: string) => key.slice(0, 8)],
    ['in capitals', (key: string) => key.toUpperCase()],
    ['with something behind it', (key: string) => `${key}1`],
    ['without its mark', (key: string) => key.slice('weir_'.length)],
  ])('is refused %s', async (_, change) => {
    const { key } = await test.api.addApiKey({ role: 'admin' });
    await expect(listUsers(change(key))).resolves.toMatchObject(unauthorized);
  });

  it('cannot be replaced by the digest that the database holds', async () => {
    const { apiKey } = await test.api.addApiKey({ role: 'admin' });

    await expect(listUsers(apiKey.keyDigest)).resolves.toMatchObject(unauthorized);
    await expect(listUsers(`weir_${apiKey.keyDigest}`)).resolves.toMatchObject(unauthorized);
  });

  it('is ignored in the query', async () => {
    const { key } = await test.api.addApiKey({ role: 'admin' });
    await expect(test.api.send(`GET /users?api_key=${key}&token=${key}`)).resolves.toMatchObject(unauthorized);
  });

  it('is replaced by a rotation, with the same rights and the same end', async () => {
    const expiresAt = new Date(test.api.clock.nowMs() + 60_000);
    const { apiKey, key } = await test.api.addApiKey({ role: 'admin', expiresAt });
    await listUsers(key);
    const { status, body } = await test.api.send(`POST /api-keys/${apiKey.id}/rotate`, { as: test.asAdmin });

    expect(status).toBe(200);
    expect(body.apiKey).toMatchObject({ id: apiKey.id, role: 'admin', lastUsedAt: null });
    await expect(listUsers(key)).resolves.toMatchObject(unauthorized);
    await expect(listUsers(String(body.key))).resolves.toMatchObject({ status: 200 });
    test.api.clock.advance(60_000);
    await expect(listUsers(String(body.key))).resolves.toMatchObject(unauthorized);
  });

  it('stores its use at most once a minute', async () => {
    const { apiKey, key } = await test.api.addApiKey({ role: 'admin' });
    const lastUse = async () => (await test.api.apiKeys.findById(apiKey.id))?.lastUsedAt;
    await listUsers(key);
    const first = test.api.clock.now();
    await expect(lastUse()).resolves.toEqual(first);

    test.api.clock.advance(59_999);
    await listUsers(key);
    await expect(lastUse()).resolves.toEqual(first);

    test.api.clock.advance(1);
    await listUsers(key);
    await expect(lastUse()).resolves.toEqual(test.api.clock.now());
  });

  it('stores no use when it is refused', async () => {
    const { apiKey, key } = await test.api.addApiKey({ expiresAt: new Date(test.api.clock.nowMs() - 1) });
    await listUsers(key);

    expect((await test.api.apiKeys.findById(apiKey.id))?.lastUsedAt).toBeUndefined();
  });
});
