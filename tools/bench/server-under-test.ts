import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { spawnProcess, temporaryFolder, waitFor, type TemporaryFolder } from '@weir/test-kit';

const program = path.resolve(__dirname, '../../apps/workflow-api/dist/main.js');
const lifeTimeMs = 60 * 60_000;
const startDeadlineMs = 120_000;

export const admin = { username: 'bench', password: 'a bench of oak and iron' };

export interface ServerUnderTest {
  readonly home: string;
  readonly baseUrl: string;
  readonly token: string;
  /** The time from the start of the process until /health answers. */
  readonly startUpMs: number;
  readonly pid: number;
  readonly residentMegabytes: () => Promise<number>;
  /** Ends the process, calls `between` with the home folder, and starts the server again. The token stays valid. */
  readonly restart: (between: (home: string) => void) => Promise<ServerUnderTest>;
  readonly stop: () => Promise<void>;
}

/** The built server on an embedded database in a fresh folder that holds `dagFiles` files. */
export function startServerUnderTest(dagFiles: number): Promise<ServerUnderTest> {
  // Only the API runs: no schedule may fire during a measurement.
  return startServer('server', (folder) => writeDagFiles(folder, dagFiles));
}

/** The same with these DAGs, and with a worker that executes them. */
export function startRunnerUnderTest(
  dags: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerUnderTest> {
  const writeDags = async (folder: string): Promise<void> => {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of dags) await writeFile(path.join(folder, `${name}.yaml`), text);
  };
  return startServer('start-all', writeDags, env);
}

async function startServer(
  command: string,
  writeDags: (folder: string) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerUnderTest> {
  const home = temporaryFolder('weir-bench-');
  await writeDags(home.file('weir', 'dags'));
  return startIn(home, { command, env });
}

interface Process {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** Missing for a fresh installation. */
  readonly token?: string;
}

async function startIn(home: TemporaryFolder, options: Process): Promise<ServerUnderTest> {
  const { command, env } = options;
  const startedAt = performance.now();
  const child = await spawnProcess({
    command: process.execPath,
    args: [program, command],
    env: {
      HOME: home.path,
      WEIR_HOME: home.file('weir'),
      WEIR_PORT: '0',
      WEIR_LOG_LEVEL: 'warn',
      WEIR_SKIP_EXAMPLES: 'true',
      ...env,
    },
    deadlineMs: lifeTimeMs,
  });
  const address = await waitFor(() => /Weir is up: (\S+)/.exec(child.stdout()), {
    deadlineMs: startDeadlineMs,
    intervalMs: 5,
    what: 'the server to come up',
  });
  const baseUrl = address[1] ?? '';
  await fetch(`${baseUrl}/health`);
  const startUpMs = performance.now() - startedAt;
  const token = options.token ?? (await setUp(baseUrl));
  return {
    home: home.path,
    baseUrl,
    startUpMs,
    token,
    pid: child.pid,
    residentMegabytes: () => residentMegabytes(child.pid),
    restart: async (between) => {
      await child.stop({ deadlineMs: 30_000 });
      between(home.path);
      return startIn(home, { ...options, token });
    },
    stop: async () => {
      await child.stop({ deadlineMs: 30_000 });
      await home.remove();
    },
  };
}

async function writeDagFiles(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const width = String(count).length;
  for (let index = 0; index < count; index += 1) {
    const name = `job-${String(index).padStart(width, '0')}`;
    const text = `description: benchmark job ${index}\nlabels: team=bench, shard=${index % 10}\nschedule: "${index % 60} * * * *"\nsteps:\n  - name: fetch\n    run: echo fetch\n  - name: load\n    run: echo load\n    depends: fetch\n`;
    await writeFile(path.join(folder, `${name}.yaml`), text);
  }
}

async function setUp(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}/auth/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  const { token } = (await response.json()) as { readonly token: string };
  return token;
}

/** Linux only; elsewhere the table shows NaN. */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024);
}
