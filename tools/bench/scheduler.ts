// Measures what a tick of the built scheduler costs, by the number of DAGs that have a schedule and of those that are
// due. Takes two minutes for each row, because schedules know nothing shorter. `npm run bench:scheduler` runs it.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { spawnProcess, temporaryFolder, waitFor } from '@weir/test-kit';

const program = path.resolve(__dirname, '../../apps/workflow-api/dist/main.js');
const cases = [
  { dags: 100, due: 0 },
  { dags: 10_000, due: 0 },
  { dags: 10_000, due: 100 },
];
const firstTickDeadlineMs = 180_000;
const tickDeadlineMs = 90_000;

interface Tick {
  readonly due: number;
  readonly durationMs: number;
}

async function main(): Promise<void> {
  console.log('| DAGs with a schedule | due | first tick ms | tick ms |');
  console.log('| ---: | ---: | ---: | ---: |');
  for (const { dags, due } of cases) {
    const [first, second] = await measureTicks(dags, due);
    console.log(`| ${dags} | ${second?.due} | ${first?.durationMs} | ${second?.durationMs} |`);
  }
}

/** The first tick, which looks for what was missed, and the one after it. */
async function measureTicks(dags: number, due: number): Promise<readonly Tick[]> {
  const home = temporaryFolder('weir-bench-');
  await writeDagFiles(home.file('weir', 'dags'), dags, due);
  const child = await spawnProcess({
    command: process.execPath,
    args: [program, 'scheduler'],
    env: { HOME: home.path, WEIR_HOME: home.file('weir'), WEIR_LOG_LEVEL: 'debug', WEIR_LOG_FORMAT: 'json' },
    deadlineMs: firstTickDeadlineMs + tickDeadlineMs,
  });
  const ticks = (): readonly Tick[] =>
    [...child.stdout().matchAll(/"due":(\d+).*?"durationMs":(\d+).*?"tick"/g)].map(([, dueNow, durationMs]) => ({
      due: Number(dueNow),
      durationMs: Number(durationMs),
    }));
  try {
    await waitFor(() => ticks().length > 0, { deadlineMs: firstTickDeadlineMs, what: 'the first tick' });
    await waitFor(() => ticks().length > 1, { deadlineMs: tickDeadlineMs, what: 'the second tick' });
    return ticks();
  } finally {
    await child.stop({ deadlineMs: 60_000 });
    await home.remove();
  }
}

async function writeDagFiles(folder: string, count: number, due: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    // Those that are not due have a date that is far from any run of this.
    const idle = `CRON_TZ=UTC ${index % 60} ${index % 24} 29 2 *`;
    const schedule = index < due ? '* * * * *' : idle;
    const text = `schedule: "${schedule}"\nsteps:\n  - run: "true"\n`;
    await writeFile(path.join(folder, `job-${index}.yaml`), text);
  }
}

void main();
