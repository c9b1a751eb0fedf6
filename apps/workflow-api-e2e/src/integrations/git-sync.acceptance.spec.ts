import { onEachDatabase } from '../support/databases';
import {
  createSyncedServer,
  on,
  read,
  remove,
  spec,
  write,
  type Item,
  type SyncedServer,
} from '../support/synced-server';

const missing = 'no-such-file';

onEachDatabase((start) => {
  let server: SyncedServer;

  beforeAll(async () => {
    server = await createSyncedServer(await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } }));
  }, 60_000);
  afterAll(() => server.dispose());

  describe('GET /sync/config', () => {
    it('returns 200 with the settings, without the token', async () => {
      await server.configure({
        auth: { type: 'token', token: 'hunter2-token' },
        webhookSecret: 'a-secret-of-the-hook',
      });
      const { status, body } = await server.send('GET /sync/config');
      await server.configure({ auth: { type: 'token', token: '' }, webhookSecret: '' });

      expect(status).toBe(200);
      expect(body).toMatchObject({
        enabled: true,
        repository: server.repository.bare,
        branch: 'main',
        pushEnabled: true,
        hasWebhookSecret: true,
        auth: { type: 'token', hasToken: true, hasSshKey: false },
        autoSync: { enabled: false, onStartup: true, interval: 300 },
      });
      expect(JSON.stringify(body)).not.toMatch(/hunter2|a-secret/);
    });
  });

  describe('PUT /sync/config', () => {
    it('returns 200, keeps what is omitted, and keeps the token until it is empty', async () => {
      await server.configure({ auth: { type: 'token', token: 'hunter2-token' } });
      const kept = await server.configure({ commit: { authorName: 'Release' } });
      const removed = await server.configure({ auth: { type: 'token', token: '' }, commit: { authorName: 'Weir' } });

      expect(kept).toMatchObject({
        status: 200,
        body: { auth: { hasToken: true }, commit: { authorName: 'Release' } },
      });
      expect(removed.body).toMatchObject({ auth: { hasToken: false }, repository: server.repository.bare });
    });

    it('returns 400 for values that git would misread, and for another host with the former token', async () => {
      for (const bad of [
        { repository: 'ext::sh -c id' },
        { repository: 'https://ada:pw@git.example/x' },
        { branch: '--force' },
        { path: '../elsewhere' },
        { autoSync: { enabled: true, onStartup: true, interval: 1 } },
      ]) {
        expect((await server.configure(bad)).status).toBe(400);
      }
      await server.configure({ auth: { type: 'token', token: 'hunter2-token' } });
      const elsewhere = await server.configure({ repository: 'https://elsewhere.example/x.git' });
      await server.configure({ auth: { type: 'token', token: '' } });

      expect(elsewhere).toMatchObject({ status: 400, body: { reason: 'sync_credential_needed' } });
      expect((await server.send('GET /sync/config')).body).toMatchObject({ repository: server.repository.bare });
    });

    it('returns 403 for a developer', async () => {
      expect((await server.send('PUT /sync/config', { body: { enabled: false } })).status).toBe(403);
    });
  });

  describe('POST /sync/test-connection', () => {
    it('returns 200 with the findings', async () => {
      await server.synced('found');
      const { status, body } = await server.send('POST /sync/test-connection');

      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true });
      expect(body.message).toContain(server.repository.git('rev-parse', 'main'));
    });

    it('returns 200 with the reason when the repository is unreachable', async () => {
      await server.configure({ repository: '/nowhere/x.git' });
      const { status, body } = await server.send('POST /sync/test-connection');
      await server.configure({ repository: server.repository.bare });

      expect(status).toBe(200);
      expect(body).toMatchObject({ success: false });
      expect(body.error).toContain('does not appear to be a git repository');
    });
  });

  describe('POST /sync/pull', () => {
    it('returns 200, and DAGs and documents appear in the list and in their history', async () => {
      server.repository.push({ 'arrived.yaml': spec('one'), 'docs/guide/arrived.md': '# Guide', 'README.md': 'x' });
      const { status, body } = await server.pull();

      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true });
      expect(body.synced).toEqual(expect.arrayContaining(['arrived', 'docs/guide/arrived']));
      expect(read(server.docFile('guide/arrived'))).toBe('# Guide');
      expect((await server.send('GET /dags/arrived')).status).toBe(200);
      const revisions = (await server.send('GET /dags/arrived/revisions')).body.revisions as {
        change: string;
        author: string;
      }[];
      expect(revisions).toMatchObject([{ change: 'created' }]);
      expect(revisions[0]?.author).toContain('developer');
      expect(await server.item('arrived')).toMatchObject({ status: 'synced', behind: false, filePath: 'arrived.yaml' });
    });

    it('returns 200, applies changes and deletions, and stores a DAG with errors', async () => {
      await server.synced('changing');
      await server.synced('leaving');
      server.repository.push({ 'changing.yaml': 'steps: 5\n', 'leaving.yaml': undefined });
      const { body } = await server.pull();

      expect(body.synced).toEqual(expect.arrayContaining(['changing', 'leaving']));
      expect(read(server.dagFile('changing'))).toBe('steps: 5\n');
      expect((await server.send('GET /dags/leaving')).status).toBe(404);
      expect(await server.statusOf('leaving')).toBeUndefined();
    });

    it('returns 200 and keeps files that were changed here', async () => {
      await server.synced('mine');
      write(server.dagFile('mine'), spec('changed'));
      const commit = await server.conflicting('both');
      const { body } = await server.pull();

      expect(body).toMatchObject({ success: false });
      expect(body.modified).toContain('mine');
      expect(body.conflicts).toContain('both');
      expect(read(server.dagFile('both'))).toBe(spec('mine'));
      expect(await server.item('both')).toMatchObject({
        remoteCommit: commit,
        remoteAuthor: 'Grace',
        remoteMessage: 'change both',
      });
    });

    it('returns 502 when the repository is unreachable, which the status reports', async () => {
      await server.configure({ repository: '/nowhere/x.git' });
      const failed = await server.pull();
      const { body } = await server.send('GET /sync/status');
      await server.configure({ repository: server.repository.bare });
      await server.pull();

      expect(failed).toMatchObject({ status: 502, body: { code: 'bad_gateway', reason: 'sync_repository_failed' } });
      expect(body).toMatchObject({ summary: 'error', lastSyncStatus: 'error' });
    });

    it('returns 503 while Git sync is off, like all operations that change files', async () => {
      await server.configure({ enabled: false });
      const operations = ['pull', 'publish-all', 'delete-missing', 'cleanup'].map((each) => `POST /sync/${each}`);
      const items = ['publish', 'discard', 'forget', 'delete'].map((each) => on('x', each));
      const answers = [];
      for (const each of [...operations, ...items]) answers.push(await server.send(each));
      answers.push(await server.send('POST /sync/delete-batch', { body: { itemIds: ['x'] } }));
      answers.push(await server.send(on('x', 'move'), { body: { newItemId: 'y' } }));
      const status = await server.send('GET /sync/status');
      const tested = await server.send('POST /sync/test-connection');
      await server.configure({ enabled: true });

      for (const answer of answers) expect(answer).toMatchObject({ status: 503, body: { code: 'internal_error' } });
      expect(status).toMatchObject({ status: 200, body: { enabled: false, summary: 'synced', items: [] } });
      expect(tested).toMatchObject({ status: 200, body: { success: false } });
    });
  });

  describe('GET /sync/status', () => {
    it('returns 200 with each status', async () => {
      await server.conflicting('s-conflict');
      for (const name of ['s-synced', 's-modified', 's-missing']) await server.synced(name);
      write(server.dagFile('s-modified'), spec('changed'));
      remove(server.dagFile('s-missing'));
      write(server.dagFile('s-untracked'), spec('new'));
      write(server.docFile('s-doc'), 'new');
      const { status, body } = await server.send('GET /sync/status');
      const found = Object.fromEntries((body.items as readonly Item[]).map((each) => [each.itemId, each.status]));

      expect(status).toBe(200);
      expect(found).toMatchObject({
        's-synced': 'synced',
        's-modified': 'modified',
        's-missing': 'missing',
        's-untracked': 'untracked',
        'docs/s-doc': 'untracked',
        's-conflict': 'conflict',
      });
      expect(body).toMatchObject({
        enabled: true,
        summary: 'conflict',
        repository: server.repository.bare,
        branch: 'main',
      });
      expect(Object.values(body.counts as object).every((count) => count > 0)).toBe(true);
    });

    it('returns 200 to a viewer with only the files of visible workspaces', async () => {
      await server.send('POST /workspaces', { token: server.admin, body: { name: 'ops' } });
      await server.synced('of-ops', `labels: [workspace=ops]\n${spec('x')}`);
      const key = {
        name: 'blind',
        role: 'viewer',
        workspaceAccess: { all: false, grants: [{ workspace: 'other', role: 'viewer' }] },
      };
      await server.send('POST /workspaces', { token: server.admin, body: { name: 'other' } });
      const token = String((await server.send('POST /api-keys', { token: server.admin, body: key })).body.key);
      const { body } = await server.send('GET /sync/status', { token });

      expect(JSON.stringify(body)).not.toContain('of-ops');
      expect((await server.send('GET /sync/items/of-ops/diff', { token })).status).toBe(404);
      expect((await server.send('GET /sync/items/of-ops/diff')).status).toBe(200);
    });
  });

  describe('GET /sync/items/{itemId}/diff', () => {
    it('returns 200 with the three versions, and 404 for an unknown file', async () => {
      await server.conflicting('compared');

      expect(await server.send('GET /sync/items/compared/diff')).toMatchObject({
        status: 200,
        body: {
          itemId: 'compared',
          filePath: 'compared.yaml',
          status: 'conflict',
          kind: 'dag',
          remoteAuthor: 'Grace',
          baseContent: spec('compared'),
          localContent: spec('mine'),
          remoteContent: spec('theirs'),
        },
      });
      expect((await server.send(`GET /sync/items/${missing}/diff`)).status).toBe(404);
    });
  });
});
