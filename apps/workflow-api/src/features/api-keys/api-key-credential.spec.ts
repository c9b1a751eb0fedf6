import { unauthorized } from '../../testing/answers';
import { aUser } from '../../testing/identity-builders';
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

describe('an API key with surfaces', () => {
  const listUsers = (as: string) => test.api.send('GET /users', { as });

  it('is refused by the API where only the Model Context Protocol is allowed, until that changes', async () => {
    const { apiKey, key } = await test.api.addApiKey({ role: 'admin', surfaces: ['mcp'] });
    await expect(listUsers(key)).resolves.toMatchObject({ status: 403, body: { reason: 'surface_missing' } });

    const changed = await test.api.send(`PATCH /api-keys/${apiKey.id}`, {
      as: test.asAdmin,
      body: { allowedSurfaces: ['mcp', 'rest_api'] },
    });
    expect(changed.body.apiKey).toMatchObject({ allowedSurfaces: ['rest_api', 'mcp'] });
    await expect(listUsers(key)).resolves.toMatchObject({ status: 200 });
  });
});

describe('an API key with an owner', () => {
  const owned = { name: 'mine', role: 'admin', attributionClass: 'user_owned' };
  const create = (body: object) => test.api.send('POST /api-keys', { as: test.asAdmin, body: { ...owned, ...body } });
  const me = (as: string) => test.api.send('GET /auth/me', { as });

  it('belongs to the caller where nobody is named, and shows its owner', async () => {
    const { body } = await create({});

    expect(body.apiKey).toMatchObject({ attributionClass: 'user_owned', ownerUserId: 'admin-1' });
    expect(body.apiKey).not.toHaveProperty('serviceAccountId');
    await expect(test.api.send('GET /api-keys', { as: test.asAdmin })).resolves.toMatchObject({
      body: { apiKeys: [{ ownerUsername: (await test.api.users.findById('admin-1'))?.username }] },
    });
  });

  it('has at most the rights of its owner, at once', async () => {
    await test.api.users.insert(aUser({ id: 'olga', role: 'admin' }));
    const { body } = await create({ ownerUserId: 'olga' });
    const key = String(body.key);
    await expect(test.api.send('GET /users', { as: key })).resolves.toMatchObject({ status: 200 });

    await test.api.send('PATCH /users/olga', { as: test.asAdmin, body: { role: 'viewer' } });
    await expect(test.api.send('GET /users', { as: key })).resolves.toMatchObject({
      status: 403,
      body: { reason: 'role_missing' },
    });
  });

  it.each([
    ['disabled', (id: string) => test.api.send(`PATCH /users/${id}`, { as: test.asAdmin, body: { isDisabled: true } })],
    ['deleted', (id: string) => test.api.send(`DELETE /users/${id}`, { as: test.asAdmin })],
  ])('is refused while its owner is %s', async (_, change) => {
    await test.api.users.insert(aUser({ id: 'olga', role: 'operator' }));
    const { body } = await create({ ownerUserId: 'olga' });
    await expect(me(String(body.key))).resolves.toMatchObject({ status: 200 });
    expect((await change('olga')).status).toBeLessThan(300);

    await expect(me(String(body.key))).resolves.toMatchObject(unauthorized);
  });

  it('becomes a service account, which is recorded under a name of its own', async () => {
    const { body } = await create({});
    const { id } = body.apiKey as { readonly id: string };
    const asServiceAccount = { attributionClass: 'service_account', serviceAccountName: 'ci' };
    const changed = await test.api.send(`PATCH /api-keys/${id}`, { as: test.asAdmin, body: asServiceAccount });

    expect(changed.body.apiKey).toMatchObject({ ...asServiceAccount, serviceAccountId: `api_key:${id}` });
    expect(changed.body.apiKey).not.toHaveProperty('ownerUserId');
  });

  it('needs an owner when a service account becomes one', async () => {
    const { apiKey } = await test.api.addApiKey();
    const change = (body: object) => test.api.send(`PATCH /api-keys/${apiKey.id}`, { as: test.asAdmin, body });

    await expect(change({ attributionClass: 'user_owned' })).resolves.toMatchObject({
      status: 400,
      body: { reason: 'key_owner_invalid' },
    });
    await expect(change({ attributionClass: 'user_owned', ownerUserId: 'admin-1' })).resolves.toMatchObject({
      status: 200,
    });
  });
});
