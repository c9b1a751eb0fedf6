import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

const missing = '00000000-0000-4000-8000-000000000000';

interface Created {
  readonly apiKey: { readonly id: string; readonly keyPrefix: string };
  readonly key: string;
}

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let manager: string;

  beforeAll(async () => {
    weir = await start();
    admin = await setUpAdmin(weir);
    manager = (await aUser(weir, admin, 'manager')).token;
  }, 60_000);

  afterAll(() => weir.dispose());

  const create = async (name: string, changes: object = {}): Promise<Created> => {
    const { body } = await weir.request('POST', '/api-keys', {
      token: admin,
      body: { name, role: 'operator', ...changes },
    });
    return body as Created;
  };

  describe('GET /api-keys', () => {
    it('returns 200 with the API keys, but neither their secrets nor digests', async () => {
      const { key } = await create('listed');
      const { status, body } = await weir.request('GET', '/api-keys', { token: admin });

      expect(status).toBe(200);
      expect(body).toMatchObject({ apiKeys: [{ name: 'listed', keyPrefix: key.slice(0, 8), lastUsedAt: null }] });
      expect(JSON.stringify(body)).not.toContain(key);
      expect(JSON.stringify(body)).not.toContain('igest');
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('GET', '/api-keys')).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await weir.request('GET', '/api-keys', { token: manager })).status).toBe(403);
    });
  });

  describe('POST /api-keys', () => {
    it('returns 201 with a key of an owner, whose calls are recorded as those of the owner', async () => {
      const { apiKey, key } = await create('owned', { role: 'admin', attributionClass: 'user_owned' });
      await weir.request('PATCH', `/api-keys/${apiKey.id}`, { token: key, body: { description: 'By itself.' } });
      const { body: me } = await weir.request('GET', '/auth/me', { token: admin });
      const { id: userId } = (me as { readonly user: { readonly id: string } }).user;

      await expect(weir.request('GET', '/audit?action=api_key_update', { token: admin })).resolves.toMatchObject({
        body: { entries: [{ userId, credentialType: 'api-key', credentialId: apiKey.id, resourceId: apiKey.id }] },
      });
    });

    it('returns 201 with the key, which is accepted as a bearer token', async () => {
      const { status, body } = await weir.request('POST', '/api-keys', {
        token: admin,
        body: { name: 'fresh', role: 'viewer' },
      });
      const { key } = body as Created;

      expect(status).toBe(201);
      expect(key).toMatch(/^weir_[1-9A-HJ-NP-Za-km-z]{40,46}$/);
      expect((await weir.request('GET', '/auth/me', { token: key })).body).toMatchObject({
        user: { username: 'apikey:fresh', role: 'viewer' },
      });
    });

    it('returns 400 for an unknown role, an empty name and an expiry in the past', async () => {
      for (const changes of [{ role: 'king' }, { name: '' }, { expiresAt: '2020-01-01T00:00:00Z' }]) {
        const body = { name: 'refused', role: 'viewer', ...changes };
        expect((await weir.request('POST', '/api-keys', { token: admin, body })).status).toBe(400);
      }
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('POST', '/api-keys', { body: { name: 'x', role: 'viewer' } })).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      const body = { name: 'x', role: 'viewer' };
      expect((await weir.request('POST', '/api-keys', { token: manager, body })).status).toBe(403);
    });

    it('returns 409 when the name is taken', async () => {
      await create('taken');
      const { status, body } = await weir.request('POST', '/api-keys', {
        token: admin,
        body: { name: 'taken', role: 'viewer' },
      });

      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'already_exists' });
    });
  });

  describe('GET /api-keys/{keyId}', () => {
    it('returns 200 with the key', async () => {
      const { apiKey } = await create('read-me');
      const { status, body } = await weir.request('GET', `/api-keys/${apiKey.id}`, { token: admin });

      expect(status).toBe(200);
      expect(body).toMatchObject({ apiKey: { id: apiKey.id, name: 'read-me', role: 'operator' } });
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('GET', `/api-keys/${missing}`)).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await weir.request('GET', `/api-keys/${missing}`, { token: manager })).status).toBe(403);
    });

    it('returns 404 for an unknown id', async () => {
      expect((await weir.request('GET', `/api-keys/${missing}`, { token: admin })).status).toBe(404);
    });
  });

  describe('PATCH /api-keys/{keyId}', () => {
    it('returns 200, and the new role applies at once', async () => {
      const { apiKey, key } = await create('patch-me', { role: 'admin' });
      expect((await weir.request('GET', '/users', { token: key })).status).toBe(200);

      const { status } = await weir.request('PATCH', `/api-keys/${apiKey.id}`, {
        token: admin,
        body: { role: 'viewer' },
      });

      expect(status).toBe(200);
      expect((await weir.request('GET', '/users', { token: key })).status).toBe(403);
    });

    it('returns 400 for an unknown role', async () => {
      const { apiKey } = await create('patch-role');
      expect(
        (await weir.request('PATCH', `/api-keys/${apiKey.id}`, { token: admin, body: { role: 'king' } })).status,
      ).toBe(400);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('PATCH', `/api-keys/${missing}`, { body: {} })).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await weir.request('PATCH', `/api-keys/${missing}`, { token: manager, body: {} })).status).toBe(403);
    });

    it('returns 404 for an unknown id', async () => {
      expect((await weir.request('PATCH', `/api-keys/${missing}`, { token: admin, body: {} })).status).toBe(404);
    });

    it('returns 409 when the name is taken', async () => {
      await create('other-name');
      const { apiKey } = await create('patch-name');
      const body = { name: 'other-name' };
      expect((await weir.request('PATCH', `/api-keys/${apiKey.id}`, { token: admin, body })).status).toBe(409);
    });
  });

  describe('POST /api-keys/{keyId}/rotate', () => {
    it('returns 200 with a new key, and the old one is refused', async () => {
      const { apiKey, key } = await create('rotated');
      const { status, body } = await weir.request('POST', `/api-keys/${apiKey.id}/rotate`, { token: admin });
      const rotated = body as Created;

      expect(status).toBe(200);
      expect(rotated.apiKey).toMatchObject({ id: apiKey.id, keyPrefix: rotated.key.slice(0, 8) });
      expect((await weir.request('GET', '/auth/me', { token: key })).status).toBe(401);
      expect((await weir.request('GET', '/auth/me', { token: rotated.key })).status).toBe(200);
    });

    it('returns 403 for a manager and 404 for an unknown key', async () => {
      const { apiKey } = await create('not rotated');

      expect((await weir.request('POST', `/api-keys/${apiKey.id}/rotate`, { token: manager })).status).toBe(403);
      expect((await weir.request('POST', `/api-keys/${missing}/rotate`, { token: admin })).status).toBe(404);
    });
  });

  describe('DELETE /api-keys/{keyId}', () => {
    it('returns 204 without a body, and the key becomes invalid', async () => {
      const { apiKey, key } = await create('delete-me');
      const { status, body } = await weir.request('DELETE', `/api-keys/${apiKey.id}`, { token: admin });

      expect(status).toBe(204);
      expect(body).toBeUndefined();
      expect((await weir.request('GET', '/auth/me', { token: key })).status).toBe(401);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('DELETE', `/api-keys/${missing}`)).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await weir.request('DELETE', `/api-keys/${missing}`, { token: manager })).status).toBe(403);
    });

    it('returns 404 for an unknown id', async () => {
      expect((await weir.request('DELETE', `/api-keys/${missing}`, { token: admin })).status).toBe(404);
    });
  });
});
