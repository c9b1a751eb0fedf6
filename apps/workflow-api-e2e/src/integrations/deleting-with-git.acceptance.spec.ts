import { chmodSync } from 'node:fs';
import path from 'node:path';
import { onEachDatabase } from '../support/databases';
import { createSyncedServer, on, read, remove, spec, write, type SyncedServer } from '../support/synced-server';

const missing = 'no-such-file';

onEachDatabase((start) => {
  let server: SyncedServer;

  beforeAll(async () => {
    server = await createSyncedServer(await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } }));
  }, 60_000);
  afterAll(() => server.dispose());

  describe('POST /sync/items/{itemId}/delete', () => {
    it('returns 200, and the file is on neither side', async () => {
      await server.synced('deleted');

      expect((await server.send(on('deleted', 'delete'), { body: { message: 'No longer' } })).status).toBe(200);
      expect(server.repository.has('deleted.yaml')).toBe(false);
      expect((await server.send('GET /dags/deleted')).status).toBe(404);
      expect(server.repository.git('log', '-1', '--format=%s', 'main')).toBe('No longer');
    });

    it('returns 400 for changes that would be lost and for untracked files, 200 when forced, and 404', async () => {
      await server.synced('precious');
      write(server.dagFile('precious'), spec('mine'));
      write(server.dagFile('own'), spec('own'));

      expect((await server.send(on('precious', 'delete'))).body).toMatchObject({ reason: 'sync_item_changed' });
      expect((await server.send(on('own', 'delete'))).status).toBe(400);
      expect((await server.send(on(missing, 'delete'))).status).toBe(404);
      expect(read(server.dagFile('precious'))).toBe(spec('mine'));
      expect((await server.send(on('precious', 'delete'), { body: { force: true } })).status).toBe(200);
      expect(server.repository.has('precious.yaml')).toBe(false);
    });
  });

  describe('POST /sync/items/{itemId}/move', () => {
    it('returns 200, and the file has the new name on both sides and keeps its history', async () => {
      await server.synced('before');

      expect((await server.send(on('before', 'move'), { body: { newItemId: 'after' } })).status).toBe(200);
      expect([server.repository.has('before.yaml'), server.repository.has('after.yaml')]).toEqual([false, true]);
      expect([await server.statusOf('before'), await server.statusOf('after')]).toEqual([undefined, 'synced']);
      const { body } = await server.send('GET /dags/after/revisions');
      expect(body.revisions).toHaveLength(2);
    });

    it('returns 400 for another kind, 404 for an unknown file and 409 for a taken name', async () => {
      await server.synced('moving');
      await server.synced('taken');

      expect((await server.send(on('moving', 'move'), { body: { newItemId: 'docs/moving' } })).status).toBe(400);
      expect((await server.send(on('moving', 'move'), { body: { newItemId: '../moving' } })).status).toBe(400);
      expect((await server.send(on(missing, 'move'), { body: { newItemId: 'x' } })).status).toBe(404);
      expect((await server.send(on('moving', 'move'), { body: { newItemId: 'taken' } })).status).toBe(409);
      expect(await server.statusOf('moving')).toBe('synced');
    });

    it('returns 409 with the commit when the repository has a newer version', async () => {
      await server.synced('newer');
      const commit = server.repository.push({ 'newer.yaml': spec('theirs') });
      const { status, body } = await server.send(on('newer', 'move'), { body: { newItemId: 'newest' } });

      expect({ status, remoteCommit: body.remoteCommit }).toEqual({ status: 409, remoteCommit: commit });
      expect(read(server.dagFile('newer'))).toBe(spec('newer'));
    });

    it('returns 502 when the repository refuses, and the file keeps its name', async () => {
      await server.synced('refused');
      write(path.join(server.repository.bare, 'hooks', 'pre-receive'), '#!/bin/sh\necho not today >&2\nexit 1\n');
      server.repository.git('config', 'core.hooksPath', path.join(server.repository.bare, 'hooks'));
      chmodSync(path.join(server.repository.bare, 'hooks', 'pre-receive'), 0o755);
      const { status, body } = await server.send(on('refused', 'move'), { body: { newItemId: 'renamed' } });
      remove(path.join(server.repository.bare, 'hooks', 'pre-receive'));

      expect({ status, reason: body.reason }).toEqual({ status: 502, reason: 'sync_push_refused' });
      expect(body.message).toContain('not today');
      expect(await server.statusOf('refused')).toBe('synced');
      await server.pull();
    });
  });

  describe('POST /sync/delete-missing', () => {
    it('returns 200 and deletes from the repository the files that were deleted here', async () => {
      await server.synced('purged');
      remove(server.dagFile('purged'));
      const { status, body } = await server.send('POST /sync/delete-missing', { body: { message: 'Purge' } });

      expect(status).toBe(200);
      expect(body.deleted).toContain('purged');
      expect(server.repository.has('purged.yaml')).toBe(false);
      expect((await server.send('POST /sync/delete-missing')).body).toMatchObject({ deleted: [] });
    });
  });

  describe('POST /sync/delete-batch', () => {
    it('returns 200 with one commit', async () => {
      await server.synced('batch-1');
      await server.synced('batch-2');
      const before = Number(server.repository.git('rev-list', '--count', 'main'));
      const { status, body } = await server.send('POST /sync/delete-batch', {
        body: { itemIds: ['batch-1', 'batch-2'] },
      });

      expect(status).toBe(200);
      expect(body).toMatchObject({ deleted: ['batch-1', 'batch-2'] });
      expect(Number(server.repository.git('rev-list', '--count', 'main'))).toBe(before + 1);
    });

    it('returns 400 and 404 and deletes nothing when one of the files cannot be deleted', async () => {
      await server.synced('batch-3');
      await server.conflicting('batch-4');
      const remove = (...itemIds: string[]) => server.send('POST /sync/delete-batch', { body: { itemIds } });

      expect((await remove('batch-3', 'batch-4')).status).toBe(400);
      expect((await remove('batch-3', missing)).status).toBe(404);
      expect((await remove()).status).toBe(400);
      expect((await remove('batch-3', 'batch-3')).status).toBe(400);
      expect([server.repository.has('batch-3.yaml'), await server.statusOf('batch-3')]).toEqual([true, 'synced']);
    });
  });

  describe('POST /sync/cleanup', () => {
    it('returns 200 with the missing files, which are forgotten', async () => {
      await server.synced('cleaned');
      remove(server.dagFile('cleaned'));
      const { status, body } = await server.send('POST /sync/cleanup');

      expect(status).toBe(200);
      expect(body.forgotten).toContain('cleaned');
      expect(server.repository.has('cleaned.yaml')).toBe(true);
      expect(((await server.send('GET /sync/status')).body.counts as { missing: number }).missing).toBe(0);
    });
  });

  it('records who changed what in the audit log, without the token', async () => {
    await server.configure({ auth: { type: 'token', token: 'hunter2-token' } });
    await server.configure({ auth: { type: 'token', token: '' } });
    await server.synced('audited');
    await server.send(on('audited', 'move'), { body: { newItemId: 'audited-too' } });
    await server.send(on('audited-too', 'delete'));
    const { body } = await server.send('GET /audit?category=sync&limit=50', { token: server.admin });
    const entries = body.entries as { action: string; username: string; resourceId: string }[];

    // An operation on files has an entry, and so has each file that it changed here; the pull had others to change, too.
    const named = ['audited', 'audited-too', 'files', 'settings'];
    const shown = entries.filter(({ resourceId }) => named.includes(resourceId)).slice(0, 7);
    expect(shown.map(({ action, username, resourceId }) => [action, username, resourceId])).toEqual([
      ['sync_delete', 'user-developer', 'audited-too'],
      ['sync_delete', 'user-developer', 'audited-too'],
      ['sync_move', 'user-developer', 'audited'],
      ['sync_pull', 'user-developer', 'files'],
      ['sync_pull', 'user-developer', 'audited'],
      ['sync_configure', 'ada', 'settings'],
      ['sync_configure', 'ada', 'settings'],
    ]);
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });
});
