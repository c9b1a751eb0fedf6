import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadTokenizerFolder, writeTinyModel } from '@weir/rollout-engine';
import { freePort, spawnProcess, temporaryFolder, waitFor, type SpawnedProcess } from '@weir/test-kit';

const program = path.resolve(__dirname, '../../../apps/rollout-proxy/dist/main.js');
const typescript = ['--import', require.resolve('tsx'), '--conditions=@weir/source'];
const lifetimeMs = 60 * 60_000;
const startDeadlineMs = 60_000;

export const adminKey = 'chaos-admin-key-0123456789';
export const capacity = 32;
export const victims = ['engine', 'trainer'] as const;
export type Victim = (typeof victims)[number];

/** The built proxy between an engine and a trainer that are killed. */
export interface Processes {
  readonly proxyUrl: string;
  /** The trainer's folder. */
  readonly folder: string;
  /** The current processes. */
  readonly running: Readonly<Record<Victim, SpawnedProcess>>;
  /** Ends a process with SIGKILL, and starts it again. */
  killAndRestart(victim: Victim): Promise<void>;
  stop(): Promise<void>;
}

/** Sessions that a killed trainer leaves behind end after `idleSeconds`, and their capacity is free again. */
export async function startProcesses(idleSeconds: number): Promise<Processes> {
  if (!existsSync(program)) throw new Error('Build the rollout proxy first: npm run build.');
  const home = temporaryFolder('weir-chaos-');
  const tokenizerFolder = home.file('tokenizer');
  await writeTinyModel(tokenizerFolder);
  const tokenizer = await loadTokenizerFolder(tokenizerFolder);
  const endId = String(tokenizer.endIds[0]);
  await tokenizer.stop();
  const [enginePort, proxyPort] = [await freePort(), await freePort()];
  const proxyUrl = `http://127.0.0.1:${proxyPort}`;
  const commands = {
    engine: ['engine-process.ts', String(enginePort), endId],
    trainer: ['trainer-process.ts', proxyUrl, adminKey, home.path, endId],
  };
  const start = (victim: Victim): Promise<SpawnedProcess> => {
    const [file = '', ...args] = commands[victim];
    const script = path.resolve(__dirname, file);
    return spawnProcess({
      command: process.execPath,
      args: [...typescript, script, ...args],
      deadlineMs: lifetimeMs,
    });
  };
  const running = { engine: await start('engine') } as Record<Victim, SpawnedProcess>;
  await running.engine.waitForOutput('engine: ', startDeadlineMs);
  const proxy = await spawnProcess({
    command: process.execPath,
    args: [program],
    env: {
      HOME: home.path,
      ROLLOUT_PORT: String(proxyPort),
      ROLLOUT_ENGINE: 'sglang',
      ROLLOUT_ENGINE_URLS: `http://127.0.0.1:${enginePort}`,
      ROLLOUT_TOKENIZER: tokenizerFolder,
      ROLLOUT_ADMIN_KEY: adminKey,
      ROLLOUT_DATA_DIR: home.file('data'),
      ROLLOUT_CAPACITY: String(capacity),
      ROLLOUT_SESSION_IDLE_SECONDS: String(idleSeconds),
      ROLLOUT_GRANT_SECONDS: '5',
      ROLLOUT_END_WAIT_SECONDS: '1',
      ROLLOUT_LOG_LEVEL: 'error',
    },
    deadlineMs: lifetimeMs,
  });
  await waitFor(() => fetch(`${proxyUrl}/ready`).then(({ ok }) => ok), {
    deadlineMs: startDeadlineMs,
    what: 'the proxy',
  });
  running.trainer = await start('trainer');
  return {
    proxyUrl,
    folder: home.path,
    running,
    killAndRestart: async (victim) => {
      await running[victim].stop({ signal: 'SIGKILL' });
      running[victim] = await start(victim);
      if (victim === 'engine') await running.engine.waitForOutput('engine: ', startDeadlineMs);
    },
    stop: async () => {
      for (const child of [running.trainer, proxy, running.engine]) await child.stop({ signal: 'SIGKILL' });
      await home.remove();
    },
  };
}
