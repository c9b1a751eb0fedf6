import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort, spawnProcess, temporaryFolder, waitFor } from '@weir/test-kit';

const program = process.env.WEIR_BENCH_PROGRAM ?? path.resolve(__dirname, '../../apps/rollout-proxy/dist/main.js');
const loopParts = path.resolve(__dirname, 'loop-parts.cjs');
const helper = path.resolve(__dirname, 'rollout-helper.ts');
const lifeTimeMs = 30 * 60_000;
const startDeadlineMs = 60_000;

export const adminKey = 'bench-admin-key-0123456789';

export interface Servers {
  readonly enginePort: number;
  readonly relayPort: number;
  readonly proxyPort: number;
  /** NaN where there is no /proc; so are the others. */
  residentMegabytes(): Promise<number>;
  /** Time on a processor, all threads together: what is left of a measurement on a machine that others use as well. */
  relayCpuMs(): Promise<number>;
  proxyCpuMs(): Promise<number>;
  /** The longer turns of the event loop of the proxy so far, each in milliseconds on the processor. */
  proxyParts(): Promise<readonly number[]>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly tokenizerFolder: string;
  /** The token ids of every answer. */
  readonly answerIds: readonly number[];
  /** Whether the turns of the proxy's event loop are measured, which costs some of its time. */
  readonly measuresParts?: boolean;
  /** Processes of the proxy. Default 1. */
  readonly workers?: number;
  /** How long every answer of the engine takes. Default 0. */
  readonly engineMs?: number;
}

/** Starts an instant engine, and a bare relay and the built proxy in front of it, each in a separate process. */
export async function startServers({
  tokenizerFolder,
  answerIds,
  measuresParts = false,
  workers = 1,
  engineMs = 0,
}: ServerOptions): Promise<Servers> {
  if (!existsSync(program)) throw new Error('Build the rollout proxy first: npm run build.');
  const [engine, engineUrl] = await startHelper('engine', JSON.stringify({ answerIds, delayMs: engineMs }));
  const [relay, relayUrl] = await startHelper('relay', engineUrl);
  const home = temporaryFolder('weir-bench-');
  const proxyPort = await freePort();
  const profile = process.env.WEIR_BENCH_PROFILE;
  const child = await spawnProcess({
    command: process.execPath,
    args: [
      ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
      ...(measuresParts ? ['--require', loopParts] : []),
      program,
    ],
    env: {
      ...(measuresParts ? { WEIR_BENCH_PARTS: home.file('parts') } : {}),
      HOME: home.path,
      ROLLOUT_PORT: String(proxyPort),
      ROLLOUT_ENGINE: 'sglang',
      ROLLOUT_ENGINE_URLS: engineUrl,
      ROLLOUT_TOKENIZER: tokenizerFolder,
      ROLLOUT_ADMIN_KEY: adminKey,
      ROLLOUT_DATA_DIR: home.file('data'),
      ROLLOUT_CAPACITY: '4000',
      ROLLOUT_WORKERS: String(workers),
      ROLLOUT_LOG_LEVEL: 'warn',
    },
    deadlineMs: lifeTimeMs,
  });
  await waitFor(
    async () => {
      if (!child.isRunning()) throw new Error(child.stderr());
      return fetch(`http://127.0.0.1:${proxyPort}/ready`).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      );
    },
    { deadlineMs: startDeadlineMs, intervalMs: 20, what: 'the proxy to be ready' },
  );
  return {
    enginePort: readPort(engineUrl),
    relayPort: readPort(relayUrl),
    proxyPort,
    residentMegabytes: () => residentMegabytes(child.pid),
    relayCpuMs: () => cpuMs(relay.pid),
    proxyCpuMs: () => familyCpuMs(child.pid),
    proxyParts: async () => (await readFile(home.file('parts'), 'utf8')).trim().split('\n').map(Number),
    stop: async () => {
      await child.stop({ deadlineMs: 30_000 });
      const ends = [relay, engine].map((process) => once(process, 'exit'));
      for (const process of [relay, engine]) process.disconnect();
      await Promise.all(ends);
      await home.remove();
    },
  };
}

const readPort = (url: string): number => Number(new URL(url).port);

async function startHelper(role: 'engine' | 'relay', value: string): Promise<readonly [ChildProcess, string]> {
  const child = fork(helper, [role, value]);
  const [url] = (await once(child, 'message')) as [string];
  return [child, url];
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024);
}

/** Processor time of a process and its children. */
export async function familyCpuMs(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const pids = [pid, ...children.trim().split(' ').filter(Boolean).map(Number)];
  return (await Promise.all(pids.map(cpuMs))).reduce((sum, one) => sum + one, 0);
}

const ticksPerSecond = 100;

async function cpuMs(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // Behind the name, which may hold spaces: user and system time are the 12th and 13th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}
