import { mkdir, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import {
  spawnProcess,
  startPostgres,
  temporaryFolder,
  waitFor,
  type SpawnedProcess,
  type TemporaryFolder,
} from '@weir/test-kit';
import { setUpAdmin } from '../../support/people';
import { endOfRun } from '../../support/runs';
import { runWeir } from '../../support/weir-command';
import { program, startWeir, type Weir } from '../../support/weir-server';

const steps = 'steps:\n  - run: echo "$DAG_RUN_ID"\n';
const minuteMs = 60_000;
const now = Math.floor(Date.now() / minuteMs) * minuteMs;
const minutesAgo = (count: number): Date => new Date(now - count * minuteMs);
// Once an hour, so that nothing is due while the spec runs but what it was told to have missed.
const missed = `CRON_TZ=UTC ${[8, 5].map((count) => minutesAgo(count).getUTCMinutes()).join()} * * * *`;
const once = `{at: "${minutesAgo(5).toISOString().replace('.000', '')}"}`;

const dags = {
  every: `schedule: "${missed}"\ncatchup_window: 1h\noverlap_policy: all\n${steps}`,
  newest: `schedule: "${missed}"\ncatchup_window: 1h\noverlap_policy: latest\n${steps}`,
  without: `schedule: "${missed}"\n${steps}`,
  once: `schedule: ${once}\ncatchup_window: 1h\n${steps}`,
  'once-without': `schedule: ${once}\n${steps}`,
};

interface ListedRun {
  readonly dagName: string;
  readonly dagRunId: string;
  readonly status: string;
  readonly triggerType: string;
  readonly scheduleTime: string | null;
}

let home: TemporaryFolder;
let child: SpawnedProcess | undefined;
let weir: Weir | undefined;

beforeEach(() => {
  home = temporaryFolder();
});
afterEach(async () => {
  await child?.stop({ signal: 'SIGKILL' });
  await weir?.process.stop();
  child = undefined;
  weir = undefined;
  await home.remove();
});

/** A home whose last scheduler, which knew all DAGs, was there for the last time so long ago. */
async function leftAlone(at: Date): Promise<void> {
  await mkdir(home.file('weir', 'dags'), { recursive: true });
  for (const [name, text] of Object.entries(dags)) await writeFile(home.file('weir', 'dags', `${name}.yaml`), text);
  expect(await runWeir(['ps'], { home })).toMatchObject({ code: 0 });
  const database = new DatabaseSync(home.file('weir', 'data', 'weir.db'));
  const insert = database.prepare('INSERT INTO "SchedulerState" ("dagName", "watermarkAt") VALUES (?, ?)');
  for (const name of ['', ...Object.keys(dags)]) insert.run(name, at.toISOString().replace('Z', '+00:00'));
  database.close();
}

async function history(): Promise<readonly ListedRun[]> {
  const { code, stdout, stderr } = await runWeir(['history', '--format', 'json'], { home });
  expect([code, stderr]).toEqual([0, '']);
  const parsed = JSON.parse(stdout) as readonly ListedRun[] | { readonly runs: readonly ListedRun[] };
  return 'runs' in parsed ? parsed.runs : parsed;
}

const caughtUp = (runs: readonly ListedRun[]): readonly string[] =>
  runs.map(({ dagName, triggerType, scheduleTime }) => `${dagName} ${triggerType} ${scheduleTime ?? ''}`).sort();

const expected = [
  `every catchup ${minutesAgo(5).toISOString()}`,
  `every catchup ${minutesAgo(8).toISOString()}`,
  `newest catchup ${minutesAgo(5).toISOString()}`,
  `once scheduler ${minutesAgo(5).toISOString()}`,
].sort();

const allSucceeded = () =>
  waitFor(
    async () => {
      const runs = await history();
      return runs.length >= expected.length && runs.every(({ status }) => status === 'succeeded') ? runs : undefined;
    },
    { deadlineMs: 30_000, what: 'the missed runs to succeed' },
  );

async function startScheduler(env: Readonly<Record<string, string>> = {}): Promise<SpawnedProcess> {
  child = await spawnProcess({
    command: process.execPath,
    args: [program, 'scheduler'],
    env: { HOME: home.path, WEIR_HOME: home.file('weir'), ...env },
    deadlineMs: 120_000,
  });
  const { stdout } = child;
  await waitFor(() => stdout().includes('Weir follows the schedules'), { what: 'the scheduler to come up' });
  return child;
}

describe('weir scheduler', () => {
  it('catches up on missed occurrences and executes each once', async () => {
    await leftAlone(minutesAgo(20));
    const first = await startScheduler();
    expect(caughtUp(await allSucceeded())).toEqual(expected);
    expect(await first.stop({ deadlineMs: 20_000 })).toEqual({ code: 0, signal: null });

    const second = await startScheduler();
    expect(caughtUp(await allSucceeded())).toEqual(expected);
    expect(await second.stop({ deadlineMs: 20_000 })).toEqual({ code: 0, signal: null });
    expect(caughtUp(await history())).toEqual(expected);
  }, 120_000);

  it('works alongside a server and a worker on PostgreSQL, which executes the runs', async () => {
    const postgres = await startPostgres();
    try {
      const { url } = await postgres.createDatabase();
      const env = { WEIR_DATABASE_URL: url, WEIR_SKIP_EXAMPLES: 'true' };
      weir = await startWeir({ home, command: 'server', env });
      const token = await setUpAdmin(weir);
      await weir.createClient(token).createNewDag({ body: { name: 'quick', spec: steps } });
      const scheduler = await startScheduler(env);
      const worker = await spawnProcess({
        command: process.execPath,
        args: [program, 'worker'],
        env: { HOME: home.path, WEIR_HOME: home.file('weir'), ...env },
        deadlineMs: 120_000,
      });
      const { dagRunId } = await weir.createClient(token).executeDag({ params: { fileName: 'quick' }, body: {} });

      expect((await endOfRun(weir, token, 'quick', dagRunId)).statusLabel).toBe('succeeded');
      for (const each of [scheduler, worker]) {
        expect(await each.stop({ deadlineMs: 20_000 })).toEqual({ code: 0, signal: null });
      }
      await weir.process.stop();
    } finally {
      await postgres.stop();
    }
  }, 90_000);

  it('is refused while another process has the embedded database', async () => {
    weir = await startWeir({ home, command: 'server', env: { WEIR_SKIP_EXAMPLES: 'true' } });

    const { code, stderr } = await runWeir(['scheduler'], { home });
    expect(code).toBe(1);
    expect(stderr).toContain('in use');
  }, 60_000);
});

describe('weir start-all', () => {
  it('follows schedules as well, and shows the next run in the zone of the server', async () => {
    await leftAlone(minutesAgo(20));
    await writeFile(home.file('weir', 'dags', 'tokyo.yaml'), `schedule: "30 2 * * *"\n${steps}`);
    weir = await startWeir({ home, env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_TZ: 'Asia/Tokyo' } });
    const token = await setUpAdmin(weir);

    expect(caughtUp(await allSucceeded())).toEqual(expected);
    const { dags: listed } = await weir.createClient(token).listDags();
    const shown = listed.find(({ fileName }) => fileName === 'tokyo')?.nextRun ?? '';
    expect(new Date(shown).toISOString()).toContain('T17:30:00');
    const { stdout } = await runWeir(['ls'], { home, env: { WEIR_TZ: 'Asia/Tokyo' } });
    expect(stdout).toContain(new Date(shown).toISOString());
  }, 120_000);
});

describe('weir server', () => {
  it('does not follow schedules', async () => {
    await leftAlone(minutesAgo(20));
    weir = await startWeir({ home, command: 'server', env: { WEIR_SKIP_EXAMPLES: 'true' } });
    await weir.createClient(await setUpAdmin(weir)).listDags();

    expect(await history()).toEqual([]);
  }, 60_000);
});
