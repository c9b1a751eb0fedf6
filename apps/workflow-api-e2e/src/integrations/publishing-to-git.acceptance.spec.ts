import { onEachDatabase } from '../support/databases';
import { createSyncedServer, on, read, remove, spec, write, type SyncedServer } from '../support/synced-server';

const missing = 'no-such-file';

onEachDatabase((start) => {
  let server: SyncedServer;

  beforeAll(async () => {
    server = await createSyncedServer(await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } }));
  }, 60_000);
  afterAll(() => server.dispose());

  describe('POST /sync/items/{itemId}/publish', () => {
    it('returns 200, and the author of the commit is the publishing user', async () => {
      write(server.docFile('guide/published'), 'text');
      const { status, body } = await server.send(on('docs/guide/published', 'publish'), {
        body: { message: 'My message' },
      });

      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true, synced: ['docs/guide/published'] });
      expect(server.repository.read('docs/guide/published.md')).toBe('text');
      const [author = '', committer, subject] = server.repository
        .git('log', '-1', '--format=%an%n%cn <%ce>%n%s', 'main')
        .split('\n');
      expect(author).toContain('developer');
      expect([committer, subject]).toEqual(['Weir <weir@localhost>', 'My message']);
      expect(await server.statusOf('docs/guide/published')).toBe('synced');
      expect((await server.send(on('docs/guide/published', 'publish'))).body).toMatchObject({
        message: 'Nothing to publish.',
      });
    });

    it('returns 409 with the changes in the repository, and 200 on top of them when forced', async () => {
      await server.synced('raced');
      write(server.dagFile('raced'), spec('mine'));
      const commit = server.repository.push({ 'raced.yaml': spec('theirs') }, 'theirs');
      const refused = await server.send(on('raced', 'publish'));
      const forced = await server.send(on('raced', 'publish'), { body: { force: true } });

      expect(refused).toMatchObject({
        status: 409,
        body: { itemId: 'raced', remoteCommit: commit, remoteAuthor: 'Grace', remoteMessage: 'theirs' },
      });
      expect(forced.status).toBe(200);
      expect(server.repository.read('raced.yaml')).toBe(spec('mine').trim());
      expect(server.repository.git('rev-parse', 'main~1')).toBe(commit);
    });

    it('returns 403 if files are only pulled, and 404 for a file that is unknown or missing', async () => {
      await server.synced('gone');
      remove(server.dagFile('gone'));
      expect((await server.send(on('gone', 'publish'))).status).toBe(404);
      expect((await server.send(on(missing, 'publish'))).status).toBe(404);
      await server.configure({ pushEnabled: false });
      const refused = await server.send(on('gone', 'publish'));
      await server.configure({ pushEnabled: true });
      expect(refused).toMatchObject({ status: 403, body: { reason: 'sync_pull_only' } });
    });
  });

  describe('POST /sync/publish-all', () => {
    it('returns 200 with one commit of all named files, and leaves conflicts unchanged', async () => {
      await server.conflicting('all-conflict');
      write(server.dagFile('all-one'), spec('1'));
      write(server.dagFile('all-two'), spec('2'));
      const before = Number(server.repository.git('rev-list', '--count', 'main'));
      const itemIds = ['all-one', 'all-two', 'all-conflict'];
      const { status, body } = await server.send('POST /sync/publish-all', { body: { itemIds } });

      expect(status).toBe(200);
      expect(body).toMatchObject({ synced: ['all-one', 'all-two'], conflicts: ['all-conflict'], success: false });
      expect(Number(server.repository.git('rev-list', '--count', 'main'))).toBe(before + 1);
      expect(server.repository.read('all-conflict.yaml')).toBe(spec('theirs').trim());
      expect((await server.send('POST /sync/publish-all', { body: { itemIds: [missing] } })).status).toBe(404);
    });

    it('returns 200 with all files when none is named', async () => {
      write(server.dagFile('rest'), spec('rest'));
      const { body } = await server.send('POST /sync/publish-all');

      expect(body.synced).toContain('rest');
      expect((await server.send('GET /sync/status')).body.counts).toMatchObject({ modified: 0, untracked: 0 });
    });
  });

  describe('POST /sync/items/{itemId}/discard', () => {
    it('returns 200, and modified, missing or conflicting files are restored from the repository', async () => {
      for (const name of ['discard-modified', 'discard-missing']) await server.synced(name);
      await server.conflicting('discard-conflict');
      write(server.dagFile('discard-modified'), spec('mine'));
      remove(server.dagFile('discard-missing'));

      for (const name of ['discard-modified', 'discard-missing', 'discard-conflict']) {
        expect((await server.send(on(name, 'discard'))).status).toBe(200);
        expect(read(server.dagFile(name)).trim()).toBe(server.repository.read(`${name}.yaml`));
        expect(await server.statusOf(name)).toBe('synced');
      }
    });

    it('returns 404 for an unknown file and for one that was never in the repository', async () => {
      write(server.dagFile('only-here'), spec('x'));

      expect((await server.send(on(missing, 'discard'))).status).toBe(404);
      expect((await server.send(on('only-here', 'discard'))).status).toBe(404);
      expect(read(server.dagFile('only-here'))).toBe(spec('x'));
    });
  });

  describe('POST /sync/items/{itemId}/forget', () => {
    it('returns 200 for a missing file, which returns with the next pull', async () => {
      await server.synced('forgotten');
      remove(server.dagFile('forgotten'));

      expect((await server.send(on('forgotten', 'forget'))).status).toBe(200);
      expect(await server.statusOf('forgotten')).toBeUndefined();
      await server.pull();
      expect(read(server.dagFile('forgotten'))).toBe(spec('forgotten'));
    });

    it('returns 400 for a synchronised file, and 404 for an unknown one', async () => {
      await server.synced('remembered');

      expect((await server.send(on('remembered', 'forget'))).status).toBe(400);
      expect((await server.send(on(missing, 'forget'))).status).toBe(404);
    });
  });
});
