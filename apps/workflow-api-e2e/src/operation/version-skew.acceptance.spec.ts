import { rmSync } from 'node:fs';
import {
  spawnProcess,
  startPostgres,
  temporaryFolder,
  waitFor,
  type SpawnedProcess,
  type TestPostgres,
} from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { copyProgram, createProgramsFolder } from '../support/program-of-version';
import { startWeir, type Weir } from '../support/weir-server';

const folder = createProgramsFolder();
const home = temporaryFolder();
const oldVersion = copyProgram(folder, '1.4.0', []);
const nextMinor = copyProgram(folder, '1.5.0', ['20990101000000_next']);
const tooNew = copyProgram(folder, '1.6.0', ['20990101000000_next', '20990102000000_later']);
const processes: SpawnedProcess[] = [];
let postgres: TestPostgres;
let weir: Weir;
let admin: string;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  postgres = await startPostgres();
  const { url } = await postgres.createDatabase();
  const settings = { WEIR_DATABASE_URL: url, WEIR_SKIP_EXAMPLES: 'true', WEIR_STEP_ISOLATION: 'off' };
  env = { ...settings, WEIR_HOME: home.file('weir'), HOME: home.path };
  await start(oldVersion, 'scheduler', 'Weir follows');
  weir = await startWeir({ home, env: settings, command: 'server' });
  admin = await setUpAdmin(weir);
}, 120_000);
afterAll(async () => {
  for (const each of processes) await each.stop({ signal: 'SIGKILL' });
  await weir.dispose();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(main: string, command: string): Promise<SpawnedProcess> {
  const started = await spawnProcess({ command: process.execPath, args: [main, command], env, deadlineMs: 300_000 });
  processes.push(started);
  return started;
}

async function start(main: string, command: string, says: string): Promise<SpawnedProcess> {
  const started = await run(main, command);
  await waitFor(() => started.stdout().includes(says), { what: `${command} to start`, deadlineMs: 60_000 });
  return started;
}

const startWorker = (main: string) => start(main, 'worker', 'Weir executes queued runs');
const send = async (method: string, path: string, body?: unknown) =>
  (await weir.request(method, path, { token: admin, ...(body === undefined ? {} : { body }) })).body as Record<
    string,
    unknown
  >;
const executes = async (name: string): Promise<void> => {
  await send('POST', '/dags', { name, spec: 'steps:\n  - run: "true"\n' });
  await send('POST', `/dags/${name}/enqueue`, { dagRunId: 'run' });
  await waitFor(
    async () => {
      const { dagRunDetails } = await send('GET', `/dag-runs/${name}/run`);
      return (dagRunDetails as { statusLabel: string }).statusLabel === 'succeeded';
    },
    { what: `${name} to be executed`, deadlineMs: 60_000 },
  );
};
const versions = async (): Promise<readonly string[]> =>
  ((await send('GET', '/workers')).workers as { version: string }[]).map(({ version }) => version).toSorted();

describe('a rolling restart to the next minor version', () => {
  it('keeps a worker of the old version working, and accepts another one that starts', async () => {
    const old = await startWorker(oldVersion);
    await start(nextMinor, 'scheduler', 'Weir follows');
    await executes('by-the-old-one');
    await old.stop({ signal: 'SIGTERM' });
    const restarted = await startWorker(oldVersion);
    await executes('by-the-old-one-started-anew');
    await startWorker(nextMinor);
    expect(await versions()).toEqual(['1.4.0', '1.5.0']);

    await restarted.stop({ signal: 'SIGTERM' });
    await executes('by-the-new-one');
    expect(await versions()).toEqual(['1.5.0']);
  });

  it('refuses a process two minor versions older than the one that migrated the database', async () => {
    await start(tooNew, 'scheduler', 'Weir follows');
    await startWorker(nextMinor);
    const refused = await run(oldVersion, 'worker');
    const { code } = await refused.exited;

    expect(code).toBe(1);
    expect(refused.stderr()).toContain('newer version of Weir (1.6.0)');
    expect(refused.stderr()).toContain('this version (1.4.0) does not know');
    expect(refused.stderr()).toContain('20990102000000_later');
  });
});
