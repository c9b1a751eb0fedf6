import { systemRandom } from '../../adapters/random-source';
import { unauthorized } from '../../testing/answers';
import { createTestApi } from '../../testing/test-api';
import { useTestApi } from '../../testing/use-test-api';
import { formatKey } from './api-key';

const test = useTestApi();
const grants = { all: false, grants: [{ workspace: 'ops', role: 'developer' as const }] };
const aKey = { name: 'deploy', role: 'operator' };
const notFound = { status: 404, body: { code: 'not_found', reason: 'api_key_not_found' } };
const create = (body: unknown) => test.api.send('POST /api-keys', { as: test.asAdmin, body });
const afterMs = (milliseconds: number) => new Date(test.api.clock.nowMs() + milliseconds).toISOString();

const operations = [
  ['GET /api-keys', undefined],
  ['POST /api-keys', { name: 'mine', role: 'admin' }],
  ['GET /api-keys/key-1', undefined],
  ['PATCH /api-keys/key-1', { role: 'admin' }],
  ['DELETE /api-keys/key-1', undefined],
] as const;

describe.each(operations)('%s', (operation, body) => {
  beforeEach(async () => {
    await test.api.addApiKey({ id: 'key-1', name: 'deploy' });
  });

  it('returns 401 without a credential, and changes nothing', async () => {
    const before = await test.api.apiKeys.list();

    await expect(test.api.send(operation, { body })).resolves.toMatchObject(unauthorized);
    await expect(test.api.apiKeys.list()).resolves.toEqual(before);
  });

  it.each(['manager', 'developer', 'operator', 'viewer'] as const)('returns 403 to a %s', async (role) => {
    const as = await test.api.createToken(role);
    const before = await test.api.apiKeys.list();
    const answer = await test.api.send(operation, { as, body });

    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'role_missing' } });
    await expect(test.api.apiKeys.list()).resolves.toEqual(before);
  });
});

describe('GET /api-keys', () => {
  it('returns 200 with all keys by name, without the keys or their digests', async () => {
    const { apiKey, key } = await test.api.addApiKey({ name: 'deploy', description: 'For CI.' });
    await test.api.addApiKey({ name: 'Backup' });
    const { status, body } = await test.api.send('GET /api-keys', { as: test.asAdmin });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      apiKeys: [{ name: 'Backup' }, { name: 'deploy', lastUsedAt: null, expiresAt: null }],
    });
    expect(JSON.stringify(body)).not.toContain(apiKey.keyDigest);
    expect(JSON.stringify(body)).not.toContain(key);
  });
});

describe('POST /api-keys', () => {
  describe('201', () => {
    it('creates a key that works, with the caller as its creator', async () => {
      const { status, body } = await create(aKey);

      expect(status).toBe(201);
      expect(body).toEqual({
        key: expect.stringMatching(/^weir_[1-9A-HJ-NP-Za-km-z]{40,44}$/) as string,
        apiKey: {
          id: expect.any(String) as string,
          name: 'deploy',
          role: 'operator',
          workspaceAccess: { all: true, grants: [] },
          allowedSurfaces: ['rest_api', 'mcp'],
          attributionClass: 'service_account',
          serviceAccountId: `api_key:${(body.apiKey as { readonly id: string }).id}`,
          serviceAccountName: 'deploy',
          keyPrefix: String(body.key).slice(0, 8),
          createdAt: test.api.clock.now().toISOString(),
          updatedAt: test.api.clock.now().toISOString(),
          createdBy: 'admin-1',
          lastUsedAt: null,
          expiresAt: null,
        },
      });
      await expect(test.api.send('GET /auth/me', { as: String(body.key) })).resolves.toMatchObject({ status: 200 });
    });

    it('shows the key only this once', async () => {
      const { body } = await create(aKey);
      const { id } = body.apiKey as { id: string };
      const later = await Promise.all([
        test.api.send('GET /api-keys', { as: test.asAdmin }),
        test.api.send(`GET /api-keys/${id}`, { as: test.asAdmin }),
        test.api.send(`PATCH /api-keys/${id}`, { as: test.asAdmin, body: { description: 'x' } }),
      ]);

      expect(later.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(JSON.stringify(later.map((answer) => answer.body))).not.toContain(String(body.key));
      expect(JSON.stringify(test.api.logger.entries)).not.toContain(String(body.key));
    });

    it('keeps only a digest of the key', async () => {
      const { body } = await create(aKey);
      const stored = JSON.stringify(await test.api.apiKeys.list());

      expect(stored).not.toContain(String(body.key));
      expect(stored).not.toContain(String(body.key).slice(8));
    });

    it('makes the key of 32 random bytes in base58', async () => {
      const bytes = Uint8Array.from({ length: 32 }, (_, index) => index);
      const foretold = await createTestApi({
        users: test.api.users,
        random: {
          ...systemRandom,
          bytes: (size) => {
            expect(size).toBe(32);
            return bytes;
          },
        },
      });
      const { body } = await foretold.send('POST /api-keys', { as: test.asAdmin, body: aKey });
      await foretold.stop();

      expect(body.key).toBe('weir_1thX6LZfHDZZKUs92febYZhYRcXddmzfzF2NvTkPNE');
      expect(body.key).toBe(formatKey(bytes));
    });

    it('keeps description, grants and expiry', async () => {
      const expiresAt = afterMs(60_000);
      const { body } = await create({
        ...aKey,
        role: 'viewer',
        description: 'For CI.',
        workspaceAccess: grants,
        expiresAt,
      });

      expect(body.apiKey).toMatchObject({ description: 'For CI.', workspaceAccess: grants, expiresAt });
    });

    it('names the API key that created it', async () => {
      const { apiKey, key } = await test.api.addApiKey({ role: 'admin' });
      const { body } = await test.api.send('POST /api-keys', { as: key, body: aKey });

      expect(body.apiKey).toMatchObject({ createdBy: `apikey:${apiKey.id}` });
    });
  });

  describe('400', () => {
    it.each([
      ['a limit that it does not know', { ...aKey, allowedHours: ['9-17'] }, 'request_invalid'],
      ['no surface at all', { ...aKey, allowedSurfaces: [] }, 'request_invalid'],
      ['a surface twice', { ...aKey, allowedSurfaces: ['mcp', 'mcp'] }, 'request_invalid'],
      ['an unknown surface', { ...aKey, allowedSurfaces: ['cli'] }, 'request_invalid'],
      ['an owner of a service account', { ...aKey, ownerUserId: 'admin-1' }, 'key_owner_invalid'],
      [
        'an owner that does not exist',
        { ...aKey, attributionClass: 'user_owned', ownerUserId: 'nobody' },
        'key_owner_invalid',
      ],
      [
        'the name of a service account for a key with an owner',
        { ...aKey, attributionClass: 'user_owned', serviceAccountName: 'ci' },
        'key_owner_invalid',
      ],
      ['a key of its own choice', { ...aKey, key: 'weir_mine' }, 'request_invalid'],
      ['an empty name', { ...aKey, name: '' }, 'request_invalid'],
      ['a name of blanks', { ...aKey, name: '   ' }, 'request_invalid'],
      ['a name of 101 characters', { ...aKey, name: 'x'.repeat(101) }, 'request_invalid'],
      ['a description of 501 characters', { ...aKey, description: 'x'.repeat(501) }, 'request_invalid'],
      ['an unknown role', { ...aKey, role: 'owner' }, 'request_invalid'],
      ['grants for a stronger role', { ...aKey, workspaceAccess: grants }, 'workspace_access_invalid'],
      ['an expiry that is no date', { ...aKey, expiresAt: 'tomorrow' }, 'request_invalid'],
      ['an expiry in the past', { ...aKey, expiresAt: '2020-01-01T00:00:00Z' }, 'expiry_in_past'],
      ['an expiry after the year 9999', { ...aKey, expiresAt: '9999-12-31T23:59:59-01:00' }, 'request_invalid'],
    ])('refuses %s', async (_, body, reason) => {
      await expect(create(body)).resolves.toMatchObject({ status: 400, body: { code: 'bad_request', reason } });
      await expect(test.api.apiKeys.list()).resolves.toEqual([]);
    });

    it('refuses an expiry at the present time', async () => {
      const answer = await create({ ...aKey, expiresAt: afterMs(0) });
      expect(answer).toMatchObject({ status: 400, body: { reason: 'expiry_in_past' } });
    });
  });

  it('returns 409 for a taken name', async () => {
    await create(aKey);
    const answer = await create({ ...aKey, name: ' deploy ' });

    expect(answer).toMatchObject({ status: 409, body: { code: 'already_exists', reason: 'api_key_name_taken' } });
  });
});

describe('GET /api-keys/{keyId}', () => {
  it('returns 200 with the key', async () => {
    const { apiKey } = await test.api.addApiKey({ description: 'For CI.' });
    const answer = await test.api.send(`GET /api-keys/${apiKey.id}`, { as: test.asAdmin });

    expect(answer).toMatchObject({ status: 200, body: { apiKey: { id: apiKey.id, description: 'For CI.' } } });
  });

  it('returns 404 for an unknown id', async () => {
    await expect(test.api.send('GET /api-keys/none', { as: test.asAdmin })).resolves.toMatchObject(notFound);
  });
});

describe('PATCH /api-keys/{keyId}', () => {
  const patch = (id: string, body: unknown) => test.api.send(`PATCH /api-keys/${id}`, { as: test.asAdmin, body });

  describe('200', () => {
    it.each([
      ['the name', { name: 'ci' }, { name: 'ci' }],
      ['the description', { description: 'New.' }, { description: 'New.' }],
      ['the role', { role: 'viewer' }, { role: 'viewer' }],
      ['role and access', { role: 'viewer', workspaceAccess: grants }, { role: 'viewer', workspaceAccess: grants }],
      ['nothing', {}, {}],
    ])('changes %s and keeps the rest', async (_, body, changes) => {
      const { apiKey } = await test.api.addApiKey({
        description: 'Old.',
        expiresAt: new Date(test.api.clock.nowMs() + 60_000),
      });
      test.api.clock.advance(1000);
      const answer = await patch(apiKey.id, body);

      expect(answer.status).toBe(200);
      const expected = { ...apiKey, ...changes, updatedAt: test.api.clock.now() };
      await expect(test.api.apiKeys.findById(apiKey.id)).resolves.toEqual(expected);
    });

    it('sets an expiry and removes it again', async () => {
      const { apiKey } = await test.api.addApiKey();
      const expiresAt = afterMs(60_000);

      await expect(patch(apiKey.id, { expiresAt })).resolves.toMatchObject({ body: { apiKey: { expiresAt } } });
      await expect(patch(apiKey.id, { expiresAt: null })).resolves.toMatchObject({
        body: { apiKey: { expiresAt: null } },
      });
    });
  });

  it.each([
    ['an unknown role', { role: 'owner' }, 'request_invalid'],
    ['null for a name', { name: null }, 'request_invalid'],
    ['grants that do not go with the role stored', { workspaceAccess: grants }, 'workspace_access_invalid'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiry_in_past'],
  ])('returns 400 for %s', async (_, body, reason) => {
    const { apiKey } = await test.api.addApiKey();

    await expect(patch(apiKey.id, body)).resolves.toMatchObject({ status: 400, body: { code: 'bad_request', reason } });
    await expect(test.api.apiKeys.findById(apiKey.id)).resolves.toEqual(apiKey);
  });

  it('returns 404 for an unknown id', async () => {
    await expect(patch('none', { role: 'viewer' })).resolves.toMatchObject(notFound);
  });

  it('returns 409 for a name that another key has', async () => {
    const [{ apiKey }] = [await test.api.addApiKey({ name: 'a' }), await test.api.addApiKey({ name: 'b' })];
    const answer = await patch(apiKey.id, { name: 'b' });

    expect(answer).toMatchObject({ status: 409, body: { code: 'already_exists', reason: 'api_key_name_taken' } });
  });
});

describe('DELETE /api-keys/{keyId}', () => {
  it('returns 204 without a body, and the key works no more', async () => {
    const { apiKey, key } = await test.api.addApiKey();

    await expect(test.api.send('GET /auth/me', { as: key })).resolves.toMatchObject({ status: 200 });
    await expect(test.api.send(`DELETE /api-keys/${apiKey.id}`, { as: test.asAdmin })).resolves.toMatchObject({
      status: 204,
      body: {},
    });
    await expect(test.api.send('GET /auth/me', { as: key })).resolves.toMatchObject(unauthorized);
  });

  it('returns 404 for an unknown id', async () => {
    await expect(test.api.send('DELETE /api-keys/none', { as: test.asAdmin })).resolves.toMatchObject(notFound);
  });
});
