import { truncateSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { waitFor } from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import { startWeir, type Weir } from '../support/weir-server';

/** A server that accepts connections and never answers. */
interface SilentServer {
  readonly port: number;
  readonly connections: () => number;
  readonly close: () => void;
}

async function startSilentServer(): Promise<SilentServer> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.length,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const store = (port: number) =>
  `endpoint: "http://127.0.0.1:${port}", bucket: b, region: eu-west-1, access_key_id: a, secret_access_key: b`;
const host = (port: number) => `host: 127.0.0.1, port: ${port}, user: u, password: p, strict_host_key: false`;
const statement = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

/** Work that is under way when the server dies, by action, and whether it may be begun anew. */
const works: readonly (readonly [action: string, isRepeated: boolean, settings: (port: number) => string])[] = [
  ['redis.get', true, (port) => `{host: 127.0.0.1, port: ${port}, key: a, timeout: 1h}`],
  ['redis.set', false, (port) => `{host: 127.0.0.1, port: ${port}, key: a, value: b, timeout: 1h}`],
  ['s3.list', true, (port) => `{${store(port)}}`],
  ['sftp.list', true, (port) => `{${host(port)}, path: /, timeout: 1h}`],
  ['sftp.delete', false, (port) => `{${host(port)}, path: /a, timeout: 1h}`],
  ['postgres.query', false, (port) => `{dsn: "postgres://u:p@127.0.0.1:${port}/d", query: SELECT 1, timeout: 3600}`],
  ['git.checkout', true, (port) => `{repository: "http://127.0.0.1:${port}/a.git", path: clone}`],
  ['git.clone', false, (port) => `{repository: "http://127.0.0.1:${port}/a.git", path: clone}`],
  ['chat.completion', true, (port) => `{base_url: "http://127.0.0.1:${port}/v1", model: m, api_key: k, prompt: hello}`],
  ['kubernetes.run', true, (port) => `{server: "http://127.0.0.1:${port}", token: t, image: alpine}`],
  ['ssh.run', false, (port) => `{${host(port)}, command: date, timeout: 1h}`],
];
/** Of this host: nothing that connects. Neither ends by itself in the time of a spec. */
const localWorks: readonly (readonly [action: string, settings: string])[] = [
  ['sqlite.query', `{dsn: a.db, query: "${statement}", timeout: 3600}`],
  ['archive.create', '{source: "${HOME}/huge", destination: a.tar.gz}'],
];
const nameOf = (action: string) => action.replaceAll('.', '-');

describe('actions under way when the server is killed', () => {
  let weir: Weir;
  let token: string;
  const silent = new Map<string, SilentServer>();
  const runs = new Map<string, string>();

  const start = async (action: string, settings: string): Promise<void> => {
    const client = weir.createClient(token);
    const spec = `type: chain\nsteps:\n  - {id: work, action: ${action}, with: ${settings}}\n`;
    await client.createNewDag({ body: { name: nameOf(action), spec } });
    runs.set(action, (await client.executeDag({ params: { fileName: nameOf(action) }, body: {} })).dagRunId);
  };
  const details = async (action: string) =>
    (
      await weir
        .createClient(token)
        .getDagRunDetails({ params: { name: nameOf(action), dagRunId: runs.get(action) ?? '' } })
    ).dagRunDetails;
  const connected = (action: string, times: number) =>
    waitFor(() => (silent.get(action)?.connections() ?? 0) >= times || undefined, {
      deadlineMs: 60_000,
      what: `${action} to connect ${times} times`,
    });

  beforeAll(async () => {
    weir = await startWeir({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true' } });
    token = await setUpAdmin(weir);
    // Without contents on the disk: packing it takes minutes.
    writeFileSync(weir.home.file('huge'), '');
    truncateSync(weir.home.file('huge'), 200_000_000_000);
    for (const [action, , settings] of works) {
      const server = await startSilentServer();
      silent.set(action, server);
      await start(action, settings(server.port));
    }
    for (const [action, settings] of localWorks) await start(action, settings);
    for (const [action] of works) await connected(action, 1);
    for (const [action] of localWorks) {
      await waitFor(async () => (await details(action)).nodes[0]?.statusLabel === 'running' || undefined, {
        deadlineMs: 60_000,
        what: `${action} to run`,
      });
    }
    await weir.process.stop({ signal: 'SIGKILL' });
    for (const [action] of works)
      silent.set(action, { ...must(silent.get(action)), ...since(must(silent.get(action))) });
    weir = await weir.restart();
  }, 180_000);
  afterAll(async () => {
    for (const server of silent.values()) server.close();
    await weir.dispose();
  });

  const unrepeated = [...works.filter(([, isRepeated]) => !isRepeated), ...localWorks].map(([action]) => action);
  const repeated = works.filter(([, isRepeated]) => isRepeated).map(([action]) => action);

  it.each(unrepeated)('%s is not restarted, and fails as "owner lost"', async (action) => {
    const run = await endOfRun(weir, token, nameOf(action), runs.get(action) ?? '');

    expect(run).toMatchObject({ statusLabel: 'failed', nodes: [{ statusLabel: 'failed' }] });
    expect(run.nodes[0]?.error).toContain('owner lost');
    expect(silent.get(action)?.connections() ?? 0).toBe(0);
  });

  it.each(repeated)(
    '%s is restarted, and ends when it is stopped',
    async (action) => {
      await connected(action, 1);
      const dagRunId = runs.get(action) ?? '';
      await weir.createClient(token).terminateDagRun({ params: { name: nameOf(action), dagRunId } });

      expect(await endOfRun(weir, token, nameOf(action), dagRunId)).toMatchObject({
        statusLabel: 'aborted',
        nodes: [{ statusLabel: 'aborted' }],
      });
    },
    60_000,
  );
});

/** Counts only the connections from now on. */
function since({ connections }: SilentServer): Pick<SilentServer, 'connections'> {
  const before = connections();
  return { connections: () => connections() - before };
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('It was not started.');
  return value;
}
