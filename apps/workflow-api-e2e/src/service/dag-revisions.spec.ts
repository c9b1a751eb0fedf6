import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

const spec = (text: string) => `steps:\n  - run: echo ${text}\n`;

interface Revision {
  readonly revision: number;
  readonly change: string;
  readonly author?: string;
}

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let viewer: string;
  let names = 0;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_DAG_REVISIONS: '3' } });
    admin = await setUpAdmin(weir);
    viewer = (await aUser(weir, admin, 'viewer')).token;
  }, 60_000);

  afterAll(() => weir.dispose());

  const fileOf = (name: string) => path.join(weir.home.path, 'weir', 'dags', `${name}.yaml`);
  const aDag = async (): Promise<string> => {
    const name = `dag-${(names += 1)}`;
    await weir.createClient(admin).createNewDag({ body: { name, spec: spec('first') } });
    return name;
  };
  const send = (
    method: string,
    address: string,
    options: { readonly token?: string; readonly ifMatch?: string } = {},
  ) =>
    weir.request(method, address, {
      token: options.token ?? admin,
      ...(options.ifMatch === undefined ? {} : { headers: { 'if-match': options.ifMatch } }),
    });
  const put = (name: string, text: string) =>
    weir.request('PUT', `/dags/${name}/spec`, { token: admin, body: { spec: spec(text) } });
  const revisionsOf = async (name: string) =>
    (
      (await send('GET', `/dags/${name}/revisions`, { token: viewer })).body as {
        readonly revisions: readonly Revision[];
      }
    ).revisions;

  describe('GET /dags/{fileName}/revisions', () => {
    it('returns 200 with the changes, their authors, and changes made outside of the server', async () => {
      const name = await aDag();
      await put(name, 'second');
      await writeFile(fileOf(name), spec('outside'));
      const found = await revisionsOf(name);

      expect(found.map(({ revision, change }) => [revision, change])).toEqual([
        [3, 'changed'],
        [2, 'changed'],
        [1, 'created'],
      ]);
      expect(found.map(({ author }) => author !== undefined)).toEqual([false, true, true]);
    });

    it('returns 200 with the newest ones only, in pages', async () => {
      const name = await aDag();
      for (const text of ['second', 'third', 'fourth']) await put(name, text);
      const { status, body } = await send('GET', `/dags/${name}/revisions?limit=2`);
      const { revisions, nextCursor } = body as { revisions: readonly Revision[]; nextCursor: string };
      const next = await send('GET', `/dags/${name}/revisions?limit=2&cursor=${nextCursor}`);

      expect(status).toBe(200);
      expect(revisions).toMatchObject([{ revision: 4 }, { revision: 3 }]);
      expect(next.body).toMatchObject({ revisions: [{ revision: 2 }] });
      expect(next.body).not.toHaveProperty('nextCursor');
    });

    it('returns 200 with the revisions of the old name after a rename', async () => {
      const name = await aDag();
      await put(name, 'second');
      await weir.request('POST', `/dags/${name}/rename`, { token: admin, body: { newFileName: `${name}-new` } });

      expect((await revisionsOf(`${name}-new`)).map(({ change }) => change)).toEqual(['renamed', 'changed', 'created']);
    });

    it('returns 400 for a cursor of another list, 401 without a credential and 404 for an unknown DAG', async () => {
      const name = await aDag();

      expect((await send('GET', `/dags/${name}/revisions?cursor=abc`)).status).toBe(400);
      expect((await weir.request('GET', `/dags/${name}/revisions`)).status).toBe(401);
      expect((await send('GET', '/dags/nobody/revisions')).status).toBe(404);
    });
  });

  describe('GET /dags/{fileName}/revisions/{revision}', () => {
    it('returns 200 with the text of a deleted DAG', async () => {
      const name = await aDag();
      await send('DELETE', `/dags/${name}`);
      const { status, body } = await send('GET', `/dags/${name}/revisions/1`, { token: viewer });

      expect(status).toBe(200);
      expect(body).toMatchObject({ revision: 1, change: 'created', spec: spec('first') });
    });

    it('returns 401 without a credential, and 404 for an unknown revision', async () => {
      const name = await aDag();

      expect((await weir.request('GET', `/dags/${name}/revisions/1`)).status).toBe(401);
      expect((await send('GET', `/dags/${name}/revisions/2`)).status).toBe(404);
    });
  });

  describe('GET /dags/{fileName}/revisions/{revision}/diff', () => {
    it('returns 200 with the difference in the unified format', async () => {
      const name = await aDag();
      await put(name, 'second');
      const { status, body } = await send('GET', `/dags/${name}/revisions/2/diff`, { token: viewer });

      expect(status).toBe(200);
      expect(body).toMatchObject({ from: { revision: 1 }, to: { revision: 2 }, minimal: true });
      expect((body as { diff: string }).diff).toContain('-  - run: echo first\n+  - run: echo second\n');
    });

    it('returns 400 for an invalid number, 401 without a credential and 404 for an unknown revision', async () => {
      const name = await aDag();

      expect((await send('GET', `/dags/${name}/revisions/1/diff?from=x`)).status).toBe(400);
      expect((await weir.request('GET', `/dags/${name}/revisions/1/diff`)).status).toBe(401);
      expect((await send('GET', `/dags/${name}/revisions/1/diff?from=7`)).status).toBe(404);
    });
  });

  describe('POST /dags/{fileName}/revisions/{revision}/restore', () => {
    it('returns 200 and writes the text as a new revision, even for a removed file', async () => {
      const name = await aDag();
      await put(name, 'second');
      const restored = await send('POST', `/dags/${name}/revisions/1/restore`);

      expect(restored.status).toBe(200);
      expect(await readFile(fileOf(name), 'utf8')).toBe(spec('first'));

      await rm(fileOf(name));
      expect((await send('POST', `/dags/${name}/revisions/3/restore`)).status).toBe(200);
      expect(await readFile(fileOf(name), 'utf8')).toBe(spec('first'));
      expect((await revisionsOf(name)).map(({ change }) => change)).toEqual(['restored', 'deleted', 'restored']);
    });

    it('returns 400 for a deletion, 403 for a viewer, 404 for an unknown revision and 412 for an earlier tag', async () => {
      const name = await aDag();
      const ifMatch = (await send('GET', `/dags/${name}/spec`)).headers.get('etag') ?? '';
      await put(name, 'second');
      const restore = (revision: number, options = {}) =>
        send('POST', `/dags/${name}/revisions/${revision}/restore`, options);

      expect((await restore(1, { token: viewer })).status).toBe(403);
      expect((await restore(9)).status).toBe(404);
      expect((await restore(1, { ifMatch })).status).toBe(412);
      expect(await readFile(fileOf(name), 'utf8')).toBe(spec('second'));

      await send('DELETE', `/dags/${name}`);
      expect((await restore(3)).status).toBe(400);
    });
  });
});
