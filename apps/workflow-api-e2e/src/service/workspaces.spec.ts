import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import type { RequestOptions, Weir } from '../support/weir-server';

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let operator: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    operator = (await aUser(weir, admin, 'operator')).token;
  }, 60_000);

  afterAll(() => weir.dispose());

  const send = (operation: string, options: RequestOptions = {}) => {
    const [method = '', address = ''] = operation.split(' ');
    return weir.request(method, address, { token: admin, ...options });
  };
  const aWorkspace = async (name: string): Promise<string> => {
    const { status, body } = await send('POST /workspaces', { body: { name } });
    expect(status).toBe(201);
    return (body as { id: string }).id;
  };

  describe('POST /workspaces', () => {
    it('returns 201 with the workspace', async () => {
      const { status, body } = await send('POST /workspaces', { body: { name: 'made', description: 'Of a case' } });

      expect(status).toBe(201);
      expect(body).toMatchObject({ name: 'made', description: 'Of a case', id: expect.any(String) as string });
    });

    it('returns 400 for a reserved name, 403 for an operator and 409 for a taken name', async () => {
      await aWorkspace('taken');

      expect((await send('POST /workspaces', { body: { name: 'default' } })).status).toBe(400);
      expect((await send('POST /workspaces', { body: { name: 'mine' }, token: operator })).status).toBe(403);
      expect((await send('POST /workspaces', { body: { name: 'taken' } })).status).toBe(409);
    });
  });

  describe('GET /workspaces', () => {
    it('returns 200 with the visible workspaces by name', async () => {
      await aWorkspace('zeta');
      await aWorkspace('eta');
      const { status, body } = await send('GET /workspaces', { token: operator });
      const names = (body as { workspaces: readonly { name: string }[] }).workspaces.map(({ name }) => name);

      expect(status).toBe(200);
      expect(names).toEqual(names.toSorted());
      expect(names).toEqual(expect.arrayContaining(['eta', 'zeta']));
    });
  });

  describe('GET /workspaces/{workspaceId}', () => {
    it('returns 200 with the workspace, and 404 for an unknown one', async () => {
      const id = await aWorkspace('read');

      expect(await send(`GET /workspaces/${id}`)).toMatchObject({ status: 200, body: { id, name: 'read' } });
      expect((await send('GET /workspaces/nobody')).status).toBe(404);
    });
  });

  describe('PATCH /workspaces/{workspaceId}', () => {
    it('returns 200 with the changed workspace', async () => {
      const id = await aWorkspace('before');

      expect(await send(`PATCH /workspaces/${id}`, { body: { name: 'after' } })).toMatchObject({
        status: 200,
        body: { id, name: 'after' },
      });
    });

    it('returns 400 for an invalid name, 404 for an unknown workspace and 409 for a taken name', async () => {
      const [id] = [await aWorkspace('changed'), await aWorkspace('other')];

      expect((await send(`PATCH /workspaces/${id}`, { body: { name: 'a b' } })).status).toBe(400);
      expect((await send('PATCH /workspaces/nobody', { body: { name: 'free' } })).status).toBe(404);
      expect((await send(`PATCH /workspaces/${id}`, { body: { name: 'other' } })).status).toBe(409);
    });
  });

  describe('DELETE /workspaces/{workspaceId}', () => {
    it('returns 204, and then 404', async () => {
      const id = await aWorkspace('gone');

      expect((await send(`DELETE /workspaces/${id}`)).status).toBe(204);
      expect((await send(`DELETE /workspaces/${id}`)).status).toBe(404);
    });

    it('returns 409 while a directory of documents has its name', async () => {
      const id = await aWorkspace('writers');
      await send('POST /docs?workspace=writers', { body: { id: 'guide', content: 'Text.' } });

      expect(await send(`DELETE /workspaces/${id}`)).toMatchObject({
        status: 409,
        body: { reason: 'workspace_has_documents' },
      });
    });
  });

  describe('PUT /settings/base-config', () => {
    it('returns 200, DAGs inherit it, and 412 for an earlier revision', async () => {
      const ifMatch = (await send('GET /settings/base-config')).headers.get('etag') ?? '';
      const put = () =>
        send('PUT /settings/base-config', {
          body: { spec: 'env:\n  - REGION: eu\n' },
          headers: { 'if-match': ifMatch },
        });
      await weir.createClient(admin).createNewDag({ body: { name: 'heir', spec: 'steps:\n  - run: "true"\n' } });

      expect(await put()).toMatchObject({ status: 200, body: { errors: [] } });
      expect((await send('GET /dags/heir')).body).toMatchObject({ dag: { env: ['REGION=eu'] } });
      expect((await put()).status).toBe(412);
    });

    it('returns 400 for a text with errors and 403 for an operator', async () => {
      const put = (spec: string, token: string) => send('PUT /settings/base-config', { body: { spec }, token });

      expect((await put('stepz: 1\n', admin)).status).toBe(400);
      expect((await put('', operator)).status).toBe(403);
    });
  });

  describe('GET /settings/base-config/revisions', () => {
    it('returns 200 with the revisions, their texts and their differences', async () => {
      for (const region of ['eu', 'us']) {
        await send('PUT /settings/base-config', { body: { spec: `env:\n  - REGION: ${region}\n  - A: b\n` } });
      }
      const { status, body } = await send('GET /settings/base-config/revisions');
      expect(status).toBe(200);
      const [newest, before] = (body as { revisions: { revision: number; author?: string }[] }).revisions;
      expect(newest).toMatchObject({ change: 'changed', author: 'ada' });

      expect(await send(`GET /settings/base-config/revisions/${before?.revision}`)).toMatchObject({
        status: 200,
        body: { spec: 'env:\n  - REGION: eu\n  - A: b\n' },
      });
      const diff = await send(`GET /settings/base-config/revisions/${newest?.revision}/diff`);
      expect(diff).toMatchObject({ status: 200, body: { to: { revision: newest?.revision } } });
      expect((diff.body as { diff: string }).diff).toContain('-  - REGION: eu\n+  - REGION: us\n');
      expect(await send(`POST /settings/base-config/revisions/${before?.revision}/restore`)).toMatchObject({
        status: 200,
        body: { errors: [] },
      });
      expect(await send('GET /settings/base-config')).toMatchObject({
        body: { spec: 'env:\n  - REGION: eu\n  - A: b\n' },
      });
    });
  });

  describe('GET /settings/base-config/revisions/{revision}', () => {
    it('returns 200 with the text', async () => {
      expect(await send('GET /settings/base-config/revisions/1')).toMatchObject({ status: 200 });
    });

    it('returns 404 for an unknown revision', async () => {
      expect(await send('GET /settings/base-config/revisions/999')).toMatchObject({
        status: 404,
        body: { reason: 'revision_not_found' },
      });
    });
  });

  describe('GET /settings/base-config/revisions/{revision}/diff', () => {
    it('returns 200 with the difference from another revision', async () => {
      expect(await send('GET /settings/base-config/revisions/1/diff?from=2')).toMatchObject({ status: 200 });
    });

    it('returns 404 for an unknown revision', async () => {
      expect(await send('GET /settings/base-config/revisions/1/diff?from=999')).toMatchObject({ status: 404 });
    });
  });

  describe('POST /settings/base-config/revisions/{revision}/restore', () => {
    it('returns 200 and stores the text as a new revision', async () => {
      const restored = await send('POST /settings/base-config/revisions/1/restore');

      expect(restored).toMatchObject({ status: 200, body: { errors: [] } });
      expect(restored.headers.get('etag')).not.toBeNull();
    });

    it('returns 404 for an unknown revision, 412 for a revision other than the present one', async () => {
      expect(await send('POST /settings/base-config/revisions/999/restore')).toMatchObject({ status: 404 });
      expect(
        await send('POST /settings/base-config/revisions/1/restore', { headers: { 'if-match': '"stale"' } }),
      ).toMatchObject({ status: 412, body: { reason: 'revision_changed' } });
    });
  });

  describe('GET /settings/base-config', () => {
    it('returns 200 with the text', async () => {
      await send('PUT /settings/base-config', { body: { spec: 'env:\n  - REGION: us\n' } });

      expect(await send('GET /settings/base-config')).toMatchObject({
        status: 200,
        body: { spec: 'env:\n  - REGION: us\n', errors: [] },
      });
    });
  });

  describe('GET /services/scheduler', () => {
    it('returns 200 with this process', async () => {
      expect(await send('GET /services/scheduler')).toMatchObject({
        status: 200,
        body: { schedulers: [{ status: 'active' }] },
      });
    });
  });

  describe('GET /services/coordinator', () => {
    it('returns 200 without coordinators', async () => {
      expect(await send('GET /services/coordinator')).toMatchObject({ status: 200, body: { coordinators: [] } });
    });
  });

  describe('GET /services/resources/history', () => {
    it('returns 200 with measurements, and 400 for an invalid duration', async () => {
      const { status, body } = await send('GET /services/resources/history?duration=1h');

      expect(status).toBe(200);
      expect((body as { memory: readonly object[] }).memory.length).toBeGreaterThan(0);
      expect((await send('GET /services/resources/history?duration=soon')).status).toBe(400);
    });
  });

  describe('GET /services/tunnel', () => {
    it('returns 200, because there is no tunnel', async () => {
      expect(await send('GET /services/tunnel')).toMatchObject({
        status: 200,
        body: { enabled: false, status: 'disabled' },
      });
    });
  });

  describe('GET /license/status', () => {
    it('returns 200, because there is nothing to license', async () => {
      expect(await send('GET /license/status', { token: operator })).toMatchObject({
        status: 200,
        body: { valid: true, plan: 'free', features: [] },
      });
    });
  });

  describe('POST /license/activate', () => {
    it('returns 200 for every key, and 400 without one', async () => {
      expect(await send('POST /license/activate', { body: { key: 'a key' } })).toMatchObject({
        status: 200,
        body: { plan: 'free', features: [], expiry: '' },
      });
      expect((await send('POST /license/activate', { body: {} })).status).toBe(400);
    });
  });

  describe('POST /license/deactivate', () => {
    it('returns 200, because there is nothing to license', async () => {
      expect(await send('POST /license/deactivate')).toMatchObject({
        status: 200,
        body: { message: expect.stringContaining('free') as unknown },
      });
    });
  });
});
