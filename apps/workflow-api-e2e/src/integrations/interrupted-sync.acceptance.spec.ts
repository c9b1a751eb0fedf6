import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '@weir/test-kit';
import {
  connectTo,
  createSyncedServer,
  on,
  read,
  remove,
  spec,
  write,
  type SyncedServer,
} from '../support/synced-server';
import { startWeir } from '../support/weir-server';

let server: SyncedServer;

beforeAll(async () => {
  const weir = await startWeir({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true' } });
  server = await createSyncedServer(weir);
}, 60_000);
afterAll(() => server.dispose());

const restart = async (): Promise<void> => {
  await server.weir.process.stop({ signal: 'SIGKILL' });
  server = connectTo(await server.weir.restart({ ownProcess: true }), server);
};

/** A hook of the repository that waits for a file. */
const holdHook = (name: string) => {
  const [reached = '', go = ''] = ['reached', 'go'].map((each) => path.join(server.repository.root, `${name}-${each}`));
  const file = path.join(server.repository.bare, 'hooks', name);
  writeFileSync(file, `#!/bin/sh\n: > ${reached}\nuntil [ -e ${go} ]; do sleep 0.02; done\n`);
  chmodSync(file, 0o755);
  return {
    isReached: () => waitFor(() => existsSync(reached) || undefined, { what: `${name} to be called` }),
    release: () => {
      writeFileSync(go, '');
      remove(file);
    },
  };
};

describe('a kill in the middle', () => {
  it('of a pull leaves every file complete, and the next pull fetches the rest', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `many-${index}`);
    write(server.dagFile('many-7'), spec('mine'));
    server.repository.push(Object.fromEntries(names.map((name) => [`${name}.yaml`, spec(name)])));
    const folder = path.dirname(server.dagFile('x'));
    const countHere = () => readdirSync(folder).filter((name) => name.startsWith('many-')).length;
    const cut = server.pull().catch(() => undefined);
    await waitFor(() => countHere() > 5 || undefined, { what: 'the first files' });
    await restart();
    await cut;
    const here = readdirSync(folder).flatMap((name) => /^(many-\d+)\.yaml$/.exec(name)?.[1] ?? []);

    for (const name of here) expect(read(server.dagFile(name))).toBe(spec(name === 'many-7' ? 'mine' : name));
    expect(here.length).toBeLessThan(names.length);
    expect((await server.pull()).body).toMatchObject({ conflicts: ['many-7'] });
    expect(countHere()).toBe(names.length);
    expect(await server.statusOf('many-149')).toBe('synced');
    expect(read(server.dagFile('many-7'))).toBe(spec('mine'));
  }, 120_000);

  it.each(['pre-receive', 'post-receive'])(
    'of a publication (at %s) loses nothing on either side',
    async (name) => {
      const dag = `kill-${name}`;
      await server.synced(dag);
      write(server.dagFile(dag), spec('mine'));
      const hold = holdHook(name);
      const cut = server.send(on(dag, 'publish')).catch(() => undefined);
      await hold.isReached();
      await restart();
      await cut;
      expect(read(server.dagFile(dag))).toBe(spec('mine'));
      expect(await server.statusOf(dag)).toBe('modified');
      hold.release();
      if (name === 'post-receive') {
        await server.pull();
        expect(await server.statusOf(dag)).toBe('synced');
      }
      expect((await server.send(on(dag, 'publish'))).status).toBe(200);
      expect(server.repository.read(`${dag}.yaml`)).toBe(spec('mine').trim());
      expect(await server.statusOf(dag)).toBe('synced');
    },
    120_000,
  );
});

describe('at the same time', () => {
  it('publications are serialized, and none is lost', async () => {
    const names = ['at-once-1', 'at-once-2', 'at-once-3', 'at-once-4'];
    for (const name of names) write(server.dagFile(name), spec(name));
    const answers = await Promise.all([...names.map((name) => server.send(on(name, 'publish'))), server.pull()]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const name of names) expect(server.repository.read(`${name}.yaml`)).toBe(spec(name).trim());
  });

  it('a publication is repeated after a push by another user in the meantime', async () => {
    await server.synced('raced-by-others');
    write(server.dagFile('raced-by-others'), spec('mine'));
    const other = server.repository.work('rev-parse', 'HEAD');
    const tree = server.repository.git('rev-parse', `${other}^{tree}`);
    const rival = server.repository.work('commit-tree', tree, '-p', other, '-m', 'rival');
    server.repository.work('push', '--quiet', 'origin', `${rival}:refs/heads/rival`);
    const hook = path.join(server.repository.bare, 'hooks', 'pre-receive');
    // Somebody else is faster, once.
    const move = `git update-ref refs/heads/main ${rival} ${other}`;
    writeFileSync(hook, `#!/bin/sh\nunset GIT_QUARANTINE_PATH\nrm -- "$0"\n${move}\n`);
    chmodSync(hook, 0o755);
    const { status } = await server.send(on('raced-by-others', 'publish'));

    expect(status).toBe(200);
    expect(server.repository.git('log', '--format=%s', '-2', 'main').split('\n')).toEqual([
      'Update raced-by-others',
      'rival',
    ]);
  });
});

describe('pulls that nobody asks for', () => {
  it('begin when settings are stored, and again when the server starts', async () => {
    const isHere = (name: string) =>
      waitFor(() => existsSync(server.dagFile(name)) || undefined, { what: `${name} to be pulled` });
    const autoSync = { enabled: true, onStartup: true, interval: 10 };
    const repository = { 'by-itself.yaml': spec('itself') };
    server.repository.push(repository);
    await server.configure({ autoSync });
    await isHere('by-itself');
    await server.weir.process.stop({ signal: 'SIGTERM' });
    server.repository.push({ 'at-start.yaml': spec('start') });
    await restart();
    await isHere('at-start');
    const { body } = await server.send('GET /dags/at-start/revisions');
    const audit = await server.send('GET /audit?category=sync&limit=50', { token: server.admin });

    expect(body.revisions).toMatchObject([{ change: 'created', author: 'git-sync' }]);
    expect(JSON.stringify(audit.body)).toContain('"username":"git-sync"');
  }, 120_000);
});
