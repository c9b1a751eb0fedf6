import { createSeededRandom } from '@weir/test-kit';
import { createTestStores, type databaseKinds } from '../test-stores';
import { simulateSchedules, type SimulationResult } from './simulate-schedules';

const minutesOfDay = 1_440;
const shown = 20;

/** Prints how three schedulers settled a schedule of every minute. Returns whether they settled it correctly. */
export async function simulateMonth({
  kind,
  days,
  seed,
}: {
  readonly kind: (typeof databaseKinds)[number];
  readonly days: number;
  readonly seed: number;
}): Promise<boolean> {
  const source = await createTestStores(kind);
  try {
    const startedAt = performance.now();
    const result = await simulateSchedules({
      database: await source.openDatabase(),
      minutes: Math.round(days * minutesOfDay),
      schedulers: 3,
      random: createSeededRandom(seed),
      onDay: (done) => void process.stderr.write(`\r${done} of ${days} days`),
    });
    print(result, kind, performance.now() - startedAt);
    const { lost, double, lostOfPlain, doubleOfPlain } = result;
    return [lost, double, lostOfPlain, doubleOfPlain].every((times) => times.length === 0);
  } finally {
    await source.remove();
  }
}

function print(result: SimulationResult, kind: string, elapsedMs: number): void {
  const rows = Object.entries({ database: kind, seconds: Math.round(elapsedMs / 1_000), ...result });
  const cell = (value: unknown): string =>
    Array.isArray(value) ? `${value.length} ${value.slice(0, shown).join(' ')}`.trim() : String(value);
  process.stdout.write(
    `\n${['| | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${cell(value)} |`)].join('\n')}\n`,
  );
}
