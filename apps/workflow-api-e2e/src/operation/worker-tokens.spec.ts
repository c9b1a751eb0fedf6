import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

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

  const create = (body: object, token = admin) => weir.request('POST', '/worker-tokens', { token, body });

  describe('POST /worker-tokens', () => {
    it('returns 201 with the token, which is no credential of the API', async () => {
      const { status, body } = await create({ name: 'fresh', labels: { gpu: 'a100' } });
      const { token } = body as { readonly token: string };

      expect({ status, body }).toMatchObject({ status: 201, body: { workerToken: { labels: { gpu: 'a100' } } } });
      expect((await weir.request('GET', '/auth/me', { token })).status).toBe(401);
    });

    it('returns 400 for a name in capitals and an unknown field', async () => {
      for (const body of [{ name: 'GPU' }, { name: 'gpu', expiresAt: '2030-01-01T00:00:00Z' }]) {
        expect((await create(body)).status).toBe(400);
      }
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('POST', '/worker-tokens', { body: { name: 'x' } })).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await create({ name: 'x' }, manager)).status).toBe(403);
    });

    it('returns 409 when the name is taken', async () => {
      await create({ name: 'taken' });
      expect(await create({ name: 'taken' })).toMatchObject({ status: 409, body: { reason: 'worker_token_taken' } });
    });
  });

  describe('GET /worker-tokens', () => {
    it('returns 200 with the tokens, but neither their texts nor hashes', async () => {
      const { token } = (await create({ name: 'listed' })).body as { readonly token: string };
      const { status, body } = await weir.request('GET', '/worker-tokens', { token: admin });
      const { workerTokens } = body as { readonly workerTokens: readonly object[] };

      expect(status).toBe(200);
      expect(workerTokens).toContainEqual(expect.objectContaining({ name: 'listed', lastUsedAt: null }));
      expect(JSON.stringify(body)).not.toContain(token);
      expect(JSON.stringify(body)).not.toContain('ash');
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('GET', '/worker-tokens')).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await weir.request('GET', '/worker-tokens', { token: manager })).status).toBe(403);
    });
  });

  describe('DELETE /worker-tokens/{name}', () => {
    it('returns 204, and the audit log has who created and who revoked the token', async () => {
      await create({ name: 'revoked' });
      const { status } = await weir.request('DELETE', '/worker-tokens/revoked', { token: admin });
      const { body } = await weir.request('GET', '/audit?category=worker_token', { token: admin });
      const { entries } = body as { readonly entries: readonly { action: string; resourceId?: string }[] };

      expect(status).toBe(204);
      expect(entries.filter(({ resourceId }) => resourceId === 'revoked').map(({ action }) => action)).toEqual([
        'worker_token_revoke',
        'worker_token_create',
      ]);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('DELETE', '/worker-tokens/none')).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await weir.request('DELETE', '/worker-tokens/none', { token: manager })).status).toBe(403);
    });

    it('returns 404 for an unknown name', async () => {
      expect((await weir.request('DELETE', '/worker-tokens/none', { token: admin })).status).toBe(404);
    });
  });
});
