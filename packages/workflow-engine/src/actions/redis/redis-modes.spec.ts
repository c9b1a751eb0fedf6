import { existsSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import {
  describeUnless,
  freePort,
  spawnProcess,
  temporaryFolder,
  waitFor,
  type SpawnedProcess,
  type TemporaryFolder,
} from '@weir/test-kit';
import { actionFixture, type ActionFixture } from '../testing/action-fixture';

const program = '/usr/bin/redis-server';
const missing = existsSync(program)
  ? undefined
  : 'redis-server is not installed (Debian: redis-server; tools/scripts/install-hosts.sh)';

describeUnless(missing, 'no command was sent to a cluster or by sentinels')('redis.*', () => {
  const servers: SpawnedProcess[] = [];
  let folder: TemporaryFolder;
  let fixture: ActionFixture;

  const start = async (args: readonly string[], ready: string): Promise<void> => {
    const server = await spawnProcess({ command: program, args: [...args], cwd: folder.path, deadlineMs: 300_000 });
    servers.push(server);
    await waitFor(() => server.stdout().includes(ready) || undefined, { deadlineMs: 60_000, what: ready });
  };
  const startServer = async (more: readonly string[]): Promise<number> => {
    const port = await freePort();
    const plain = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--requirepass', 'horse'];
    await start([...plain, ...more], 'Ready to accept connections');
    return port;
  };
  const run = (action: ExecutableActionName, settings: JsonObject) => fixture.run(action, settings);
  const call = async (action: ExecutableActionName, settings: JsonObject): Promise<string> => {
    const { outcome, stdout, stderr } = await run(action, { password: 'horse', ...settings });
    if (outcome.status !== 'succeeded') throw new Error(`${outcome.error ?? ''} ${stderr}`);
    return stdout.trimEnd();
  };

  beforeAll(() => {
    folder = temporaryFolder();
  });
  beforeEach(async () => {
    fixture = await actionFixture();
  });
  afterEach(() => fixture.remove());
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop({ signal: 'SIGTERM' })));
    await folder.remove();
  });

  describe('of a cluster', () => {
    let cluster: JsonObject;

    beforeAll(async () => {
      fixture = await actionFixture();
      const bus = [await freePort(), await freePort()];
      const ports: number[] = [];
      for (const [index, port] of bus.entries()) {
        const own = [
          '--cluster-enabled',
          'yes',
          '--cluster-port',
          `${port}`,
          '--cluster-config-file',
          `n${index}.conf`,
        ];
        ports.push(await startServer(own));
      }
      const [first = 0, second = 0] = ports;
      const direct = (port: number, words: readonly string[]) =>
        call('redis.pipeline', { host: '127.0.0.1', port, commands: [words] });
      await direct(first, ['CLUSTER', 'ADDSLOTSRANGE', '0', '8191']);
      await direct(second, ['CLUSTER', 'ADDSLOTSRANGE', '8192', '16383']);
      await direct(first, ['CLUSTER', 'MEET', '127.0.0.1', `${second}`, `${bus[1]}`]);
      cluster = { mode: 'cluster', cluster_addrs: [`127.0.0.1:${first}`] };
      await waitFor(
        async () => {
          const info = await Promise.all(ports.map((port) => direct(port, ['CLUSTER', 'INFO'])));
          return info.every((text) => text.includes('cluster_state:ok')) || undefined;
        },
        { deadlineMs: 60_000, what: 'the cluster to be ready' },
      );
      await fixture.remove();
    }, 120_000);

    it('sends each command to the node of its key, and lists the keys of all nodes', async () => {
      // The slots of these keys are on both nodes.
      for (const key of ['a', 'b', 'c', 'd'])
        expect(await call('redis.set', { ...cluster, key, value: key })).toBe('OK');
      expect(await call('redis.get', { ...cluster, key: 'c' })).toBe('c');
      expect(await call('redis.keys', { ...cluster, pattern: '?' })).toBe('["a","b","c","d"]');
      const commands = [
        ['SET', '{t}1', 'x'],
        ['GET', '{t}1'],
      ];
      expect(await call('redis.pipeline', { ...cluster, commands })).toBe('["OK","x"]');
    });

    it('fails without the password, and without addresses', async () => {
      const { outcome } = await run('redis.get', { ...cluster, password: 'hunter2', key: 'a' });
      expect(outcome).toMatchObject({ status: 'failed' });
      expect(outcome.error).not.toContain('hunter2');
      expect((await run('redis.ping', { mode: 'cluster' })).outcome.error).toContain('cluster_addrs is missing');
      expect((await run('redis.ping', { mode: 'cluster', cluster_addrs: 'here' })).outcome.error).toBe(
        'cluster_addrs must be HOST:PORT.',
      );
    });
  });

  describe('by sentinels', () => {
    let sentinels: JsonObject;

    beforeAll(async () => {
      const [port, own] = [await startServer([]), await freePort()];
      const lines = [
        `port ${own}`,
        'bind 127.0.0.1',
        `sentinel monitor shop 127.0.0.1 ${port} 1`,
        'sentinel auth-pass shop horse',
      ];
      writeFileSync(folder.file('sentinel.conf'), `${lines.join('\n')}\n`);
      await start([folder.file('sentinel.conf'), '--sentinel'], '+monitor master shop');
      sentinels = { mode: 'sentinel', sentinel_addrs: `127.0.0.1:${own}`, sentinel_master: 'shop' };
    }, 120_000);

    it('finds the master', async () => {
      expect(await call('redis.set', { ...sentinels, key: 'a', value: 'x' })).toBe('OK');
      expect(await call('redis.get', { ...sentinels, key: 'a' })).toBe('x');
    });

    it('fails for a master that they do not monitor', async () => {
      const { outcome } = await run('redis.ping', { ...sentinels, sentinel_master: 'other' });
      expect(outcome).toMatchObject({ status: 'failed' });
      expect((await run('redis.ping', { mode: 'sentinel' })).outcome.error).toContain('sentinel_master is missing');
    });
  });
});
