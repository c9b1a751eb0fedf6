import path from 'node:path';
import { spawnProcess, type SpawnedProcess } from '@weir/test-kit';

const program = path.resolve(__dirname, '../../apps/workflow-api/dist/main.js');
const startDeadlineMs = 60_000;
const lifeTimeMs = 10 * 60_000;

export interface ChaosServer {
  readonly process: SpawnedProcess;
  readonly baseUrl: string;
}

export interface ServerOptions {
  /** The folder that everything is in. */
  readonly folder: string;
  /** The URL of a database that servers share; if missing, the embedded one is used. */
  readonly databaseUrl?: string | undefined;
}

/** Begins to start the built server; it may be killed before it is up. */
export function spawnServer({ folder, databaseUrl }: ServerOptions): Promise<SpawnedProcess> {
  return spawnProcess({
    command: process.execPath,
    args: [program, 'start-all'],
    env: {
      HOME: folder,
      WEIR_HOME: path.join(folder, 'weir'),
      WEIR_PORT: '0',
      WEIR_LOG_LEVEL: 'warn',
      WEIR_AUTH_MODE: 'none',
      WEIR_SKIP_EXAMPLES: 'true',
      WEIR_QUEUES: 'chaos=3',
      ...(databaseUrl === undefined ? {} : { WEIR_DATABASE_URL: databaseUrl }),
    },
    deadlineMs: lifeTimeMs,
  });
}

export async function startServer(options: ServerOptions): Promise<ChaosServer> {
  const server = await spawnServer(options);
  await server.waitForOutput(/Weir is up: \S+/, startDeadlineMs);
  return { process: server, baseUrl: /Weir is up: (\S+)/.exec(server.stdout())?.[1] ?? '' };
}

/** Kills the process without a last log line: it is gone when the promise resolves, but its steps are not. */
export async function kill({ pid, exited }: SpawnedProcess): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await exited;
}
