import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

const spec = (text: string) => `labels: [team=data]\nsteps:\n  - run: echo ${text}\n`;

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let viewer: string;
  let names = 0;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    viewer = (await aUser(weir, admin, 'viewer')).token;
  }, 60_000);

  afterAll(() => weir.dispose());

  const aDag = async (text = 'first'): Promise<string> => {
    const name = `dag-${(names += 1)}`;
    await weir.createClient(admin).createNewDag({ body: { name, spec: spec(text) } });
    return name;
  };
  const send = (
    operation: string,
    {
      token = admin,
      body,
      ifMatch,
    }: { readonly token?: string; readonly body?: object; readonly ifMatch?: string } = {},
  ) => {
    const [method = '', address = ''] = operation.split(' ');
    return weir.request(method, address, {
      token,
      body,
      ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
    });
  };
  const readTag = async (name: string) => (await send(`GET /dags/${name}/spec`)).headers.get('etag') ?? '';
  const readFileOf = (name: string) => readFile(path.join(weir.home.path, 'weir', 'dags', `${name}.yaml`), 'utf8');

  describe('GET /dags/{fileName}/spec', () => {
    it('returns 200 with the text and its entity tag', async () => {
      const name = await aDag();
      const { status, body, headers } = await send(`GET /dags/${name}/spec`, { token: viewer });

      expect(status).toBe(200);
      expect(body).toMatchObject({ dag: { name }, spec: spec('first'), errors: [], findings: [] });
      expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
    });

    it('returns 401 without a credential, and 404 for an unknown DAG', async () => {
      expect((await weir.request('GET', '/dags/nobody/spec')).status).toBe(401);
      expect((await send('GET /dags/nobody/spec')).status).toBe(404);
    });
  });

  describe('PUT /dags/{fileName}/spec', () => {
    it('returns 200 and stores the text', async () => {
      const name = await aDag();
      const { status, body } = await send(`PUT /dags/${name}/spec`, { body: { spec: spec('second') } });

      expect(status).toBe(200);
      expect(body).toMatchObject({ errors: [] });
      expect(await readFileOf(name)).toBe(spec('second'));
    });

    it('returns 200 with the errors of a text that it does not store', async () => {
      const name = await aDag();
      const { status, body } = await send(`PUT /dags/${name}/spec`, { body: { spec: 'steps: 5\n' } });

      expect(status).toBe(200);
      expect((body as { errors: readonly string[] }).errors[0]).toMatch(/^\[1:\d+\]/);
      expect(await readFileOf(name)).toBe(spec('first'));
    });

    it('returns 412 for an earlier revision, and stores only one of several changes of the same revision', async () => {
      const name = await aDag();
      const ifMatch = await readTag(name);
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((text) => send(`PUT /dags/${name}/spec`, { body: { spec: spec(text) }, ifMatch })),
      );

      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
    });

    it('returns 400 without a spec, 403 for a viewer and 404 for an unknown DAG', async () => {
      const name = await aDag();
      const body = { spec: spec('second') };

      expect((await send(`PUT /dags/${name}/spec`, { body: {} })).status).toBe(400);
      expect((await send(`PUT /dags/${name}/spec`, { body, token: viewer })).status).toBe(403);
      expect((await send('PUT /dags/nobody/spec', { body })).status).toBe(404);
    });
  });

  describe('DELETE /dags/{fileName}', () => {
    it('returns 204, and the DAG is gone', async () => {
      const name = await aDag();

      expect((await send(`DELETE /dags/${name}`)).status).toBe(204);
      expect((await send(`GET /dags/${name}`)).status).toBe(404);
      await expect(readFileOf(name)).rejects.toThrow('ENOENT');
    });

    it('returns 403 for a viewer, 404 for an unknown DAG and 412 for an earlier revision', async () => {
      const name = await aDag();
      const ifMatch = await readTag(name);
      await send(`PUT /dags/${name}/spec`, { body: { spec: spec('second') } });

      expect((await send(`DELETE /dags/${name}`, { token: viewer })).status).toBe(403);
      expect((await send('DELETE /dags/nobody')).status).toBe(404);
      expect((await send(`DELETE /dags/${name}`, { ifMatch })).status).toBe(412);
      expect(await readFileOf(name)).toBe(spec('second'));
    });
  });

  describe('POST /dags/{fileName}/rename', () => {
    it('returns 200, and the DAG and its suspension have the new name', async () => {
      const name = await aDag();
      await send(`POST /dags/${name}/suspend`, { body: { suspend: true } });

      expect((await send(`POST /dags/${name}/rename`, { body: { newFileName: `${name}-new` } })).status).toBe(200);
      expect((await send(`GET /dags/${name}`)).status).toBe(404);
      expect((await send(`GET /dags/${name}-new`)).body).toMatchObject({ suspended: true });
    });

    it('returns 400 for an invalid name, 403 for a viewer, 404 for an unknown DAG and 409 for a taken name', async () => {
      const [name, other] = [await aDag(), await aDag()];
      const rename = (newFileName: string, token = admin) =>
        send(`POST /dags/${name}/rename`, { body: { newFileName }, token });

      expect((await rename('../out')).status).toBe(400);
      expect((await rename('free', viewer)).status).toBe(403);
      expect((await send('POST /dags/nobody/rename', { body: { newFileName: 'free' } })).status).toBe(404);
      expect((await rename(other)).status).toBe(409);
    });
  });

  describe('GET /dags/labels', () => {
    it('returns 200 with each label once, the keys of pairs and the number of their DAGs', async () => {
      await aDag();
      const { pagination } = await weir.createClient(viewer).listDags({ query: { labels: 'team' } });
      const count = pagination.totalRecords;

      expect(count).toBeGreaterThan(0);
      expect((await send('GET /dags/labels', { token: viewer })).body).toMatchObject({
        labels: ['team', 'team=data'],
        counts: [
          { label: 'team', count },
          { label: 'team=data', count },
        ],
        errors: [],
      });
    });

    it('returns 200 with each group and the number of its DAGs', async () => {
      for (const name of ['grouped-1', 'grouped-2']) {
        const spec = 'group: nightly\nsteps:\n  - run: echo hello\n';
        expect((await send('POST /dags', { token: admin, body: { name, spec } })).status).toBe(201);
      }
      const { body } = await send('GET /dags/labels', { token: viewer });
      const { pagination } = await weir.createClient(viewer).listDags({ query: { group: '' } });

      expect(body).toMatchObject({
        groups: [
          { group: '', count: pagination.totalRecords },
          { group: 'nightly', count: 2 },
        ],
      });
    });

    it('returns 404 for a workspace that is not visible', async () => {
      await weir.createClient(admin).createUser({
        body: {
          username: 'outsider',
          password: 'correct horse battery',
          role: 'viewer',
          workspaceAccess: { all: false, grants: [{ workspace: 'inside', role: 'viewer' }] },
        },
      });
      const { token } = await weir
        .createClient()
        .login({ body: { username: 'outsider', password: 'correct horse battery' } });

      expect((await send('GET /dags/labels?workspace=elsewhere', { token })).status).toBe(404);
    });
  });

  describe('GET /dags/tags', () => {
    it('returns 200 with the same labels under its older name', async () => {
      await aDag();

      expect((await send('GET /dags/tags', { token: viewer })).body).toEqual({
        tags: ['team', 'team=data'],
        errors: [],
      });
    });
  });
});
