import { createServer, connect, type Server } from 'node:net';
import { mkdir, readdir } from 'node:fs/promises';
import {
  freePort,
  spawnProcess,
  temporaryFolder,
  waitFor,
  type SpawnedProcess,
  describeUnless,
  enclosedProgram,
  missingForEnclosedProgram,
} from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { program, startWeir, type Weir } from '../support/weir-server';

const secretValue = 'hunter22-of-the-site';

const home = temporaryFolder();
const site = temporaryFolder();
let weir: Weir;
let admin: string;
let token: string;
let port: number;
let relay: Server;
const workers: SpawnedProcess[] = [];

async function createToken(name: string, labels: Readonly<Record<string, string>>): Promise<string> {
  return (await send('POST', '/worker-tokens', { name, labels })).token as string;
}

/** Starts a worker in a network that has nothing but the port of the server, with a home folder of its own. */
async function startWorker(name: string, workerToken = token): Promise<SpawnedProcess> {
  await mkdir(site.file(name), { recursive: true });
  const worker = await spawnProcess({
    command: 'unshare',
    args: [
      '--net',
      process.execPath,
      enclosedProgram,
      String(port),
      site.file('server.sock'),
      process.execPath,
      program,
      'worker',
    ],
    env: {
      HOME: site.file(name),
      WEIR_HOME: site.file(name),
      WEIR_STEP_ISOLATION: 'off',
      WEIR_SERVER_URL: `http://127.0.0.1:${port}`,
      WEIR_WORKER_TOKEN: workerToken,
    },
  });
  workers.push(worker);
  await worker.waitForOutput('Weir executes queued runs of', 30_000);
  return worker;
}

const send = async (method: string, address: string, body?: unknown) => {
  const answer = await weir.request(method, address, { token: admin, ...(body === undefined ? {} : { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${address}: ${JSON.stringify(answer)}`);
  return answer.body as Record<string, unknown>;
};
const addDag = (name: string, spec: string) =>
  send('POST', '/dags', { name, spec: `worker_selector: {site: customer}\n${spec}` });
const enqueue = (name: string, dagRunId: string) => send('POST', `/dags/${name}/enqueue`, { dagRunId });

interface Details {
  readonly statusLabel: string;
  readonly nodes: readonly {
    readonly step: { readonly name: string };
    readonly statusLabel: string;
    readonly error?: string;
  }[];
}
const detailsOf = async (name: string, id: string) =>
  (await send('GET', `/dag-runs/${name}/${id}`)).dagRunDetails as Details;
const until = (name: string, id: string, status: string) =>
  waitFor(
    async () => {
      const details = await detailsOf(name, id);
      if (details.statusLabel === status) return details;
      if (['failed', 'aborted', 'succeeded'].includes(details.statusLabel))
        throw new Error(JSON.stringify(details.nodes));
      return undefined;
    },
    { what: `${name} to be ${status}`, deadlineMs: 60_000 },
  );
const logOf = async (name: string, id: string, step: string) =>
  JSON.stringify(await send('GET', `/dag-runs/${name}/${id}/steps/${step}/log`));
const attemptsOf = async (name: string, id: string) =>
  ((await send('GET', `/dag-runs/${name}/${id}/attempts`)).attempts as { cause: string }[]).map(({ cause }) => cause);

describeUnless(missingForEnclosedProgram(), 'nothing ran in a network of its own')(
  'weir worker with a server and no database',
  () => {
    beforeAll(async () => {
      port = await freePort();
      const env = { WEIR_SKIP_EXAMPLES: 'true', WEIR_STEP_ISOLATION: 'off', WEIR_PORT: String(port) };
      weir = await startWeir({ home, env, ownProcess: true });
      admin = await setUpAdmin(weir);
      token = await createToken('site', { site: 'customer' });
      relay = createServer((worker) => {
        const server = connect(port, '127.0.0.1');
        worker.pipe(server).pipe(worker);
        worker.on('error', () => server.destroy());
        server.on('error', () => worker.destroy());
      });
      await new Promise<void>((resolve) => relay.listen(site.file('server.sock'), resolve));
    }, 120_000);

    afterAll(async () => {
      for (const worker of workers) await worker.stop({ signal: 'SIGKILL' });
      relay.close();
      await weir.dispose();
      await site.remove();
    });

    it('executes everything a DAG can ask for, with nothing but the port of its server', async () => {
      await send('POST', '/secrets', { ref: 'site/key', providerType: 'dagu-managed', value: secretValue });
      await addDag(
        'called',
        'params: {WHO: nobody}\nsteps:\n  - {id: greet, run: \'echo "hello $WHO"\', output: GREETING}\n',
      );
      await addDag(
        'whole',
        `artifacts: {enabled: true}
secrets:
  - {name: KEY, ref: site/key}
handler_on:
  success: {run: echo handled}
steps:
  - {id: net, run: 'cat /proc/net/dev'}
  - {id: key, run: 'printf "%s" "$KEY" | tr a-z A-Z; echo " $KEY"'}
  - {id: kept, run: 'echo of the site', stdout: {artifact: report.txt}}
  - {id: remember, action: state.set, with: {key: k, value: {n: 1}}}
  - {id: recall, action: state.get, with: {key: k}, output: FOUND}
  - {id: call, action: dag.run, with: {dag: called, params: 'WHO=ada'}}
  - {id: local, action: dag.run, with: {dag: inner}}
  - {id: each, action: dag.run, with: {dag: called, params: 'WHO=\${ITEM}'}, parallel: {items: [a, b], max_concurrent: 2}}
  - {id: later, action: dag.enqueue, with: {dag: called, params: 'WHO=later'}}
  - {id: flaky, run: 'test -e flag || { touch flag; exit 1; }', retry_policy: {limit: 1, interval_sec: 0}}
---
name: inner
steps:
  - run: echo inner
`,
      );
      const worker = await startWorker('first');
      await enqueue('whole', 'w1');

      await until('whole', 'w1', 'succeeded');
      const net = await logOf('whole', 'w1', 'net');
      expect(net).toContain('lo:');
      expect(net).not.toMatch(/eth|ens|veth/);
      const key = await logOf('whole', 'w1', 'key');
      expect(key).toContain(`${secretValue.toUpperCase()} *****`);
      expect(key).not.toContain(secretValue);
      const artifact = await weir.request('GET', '/dag-runs/whole/w1/artifacts/download?path=report.txt', {
        token: admin,
      });
      expect(artifact.body).toBe('of the site\n');
      expect(JSON.stringify(await send('GET', '/dag-runs/whole/w1/outputs'))).toContain('hello b');
      expect(JSON.stringify(await send('GET', '/dag-runs/whole/w1/log'))).toContain('run ended');
      // Nothing of the run stays on the machine of the worker.
      await waitFor(
        async () =>
          (await readdir(site.file('first/logs'), { recursive: true })).every((name) => !name.endsWith('.out')),
        {
          what: 'the logs to be removed from the machine of the worker',
        },
      );
      await worker.stop();
    });

    it('stops a run when a person asks for it', async () => {
      await addDag('endless', "steps:\n  - {id: wait, run: 'echo begun; sleep 600'}\n");
      const worker = await startWorker('second');
      await enqueue('endless', 'e1');
      await until('endless', 'e1', 'running');
      await waitFor(async () => (await logOf('endless', 'e1', 'wait')).includes('begun'), {
        what: 'the first line of the log',
      });
      await send('POST', '/dag-runs/endless/e1/stop');
      await until('endless', 'e1', 'aborted');
      await worker.stop();
    });

    it('keeps its run while the server is killed and started again', async () => {
      const marker = site.file('may-end');
      await addDag(
        'steady',
        `steps:\n  - {id: wait, run: 'echo begun; until [ -e ${marker} ]; do sleep 0.1; done; echo ended'}\n`,
      );
      const worker = await startWorker('third');
      await enqueue('steady', 's1');
      await waitFor(async () => (await logOf('steady', 's1', 'wait').catch(() => '')).includes('begun'), {
        what: 'the run to begin',
      });
      await weir.process.stop({ signal: 'SIGKILL' });
      await spawnProcess({ command: 'touch', args: [marker] });
      weir = await weir.restart({ ownProcess: true });

      await until('steady', 's1', 'succeeded');
      expect(await logOf('steady', 's1', 'wait')).toContain('ended');
      expect((await detailsOf('steady', 's1')).nodes).toMatchObject([{ statusLabel: 'succeeded' }]);
      expect(await attemptsOf('steady', 's1')).toEqual(['start']);
      await worker.stop();
    });

    it('is shut out by the revocation of its token: its run goes on elsewhere, with what was logged before', async () => {
      const marker = site.file('may-go-on');
      const revoked = await createToken('revoked', { site: 'customer' });
      await addDag(
        'moved',
        `steps:\n  - {id: wait, idempotent: true, run: 'echo begun; until [ -e ${marker} ]; do sleep 0.1; done; echo ended'}\n`,
      );
      const first = await startWorker('fourth', revoked);
      await enqueue('moved', 'm1');
      await waitFor(async () => (await logOf('moved', 'm1', 'wait').catch(() => '')).includes('begun'), {
        what: 'the run to begin',
      });
      await first.stop({ signal: 'SIGKILL' });
      await send('DELETE', '/worker-tokens/revoked');
      await spawnProcess({ command: 'touch', args: [marker] });
      const second = await startWorker('fifth');

      await until('moved', 'm1', 'succeeded');
      const log = await logOf('moved', 'm1', 'wait');
      expect(log.match(/begun/g)).toHaveLength(2);
      expect(await attemptsOf('moved', 'm1')).toEqual(['start', 'take_over']);
      await second.stop();
    });

    it('ends with 1 when its token is revoked, and does not start with it', async () => {
      const revoked = await createToken('short', { site: 'elsewhere' });
      const worker = await startWorker('sixth', revoked);
      await send('DELETE', '/worker-tokens/short');

      expect((await worker.exited).code).toBe(1);
      await expect(startWorker('sixth', revoked)).rejects.toThrow('worker token');
    });
  },
);
