import type { TestWorkflow } from '../../testing/workflow-api';
import { everywhere, useSchedulerHome } from '../../testing/scheduler/use-scheduler-home';

// Each zone changes its clocks twice in this year, and one of them by half an hour.
const zones = {
  berlin: { zone: 'Europe/Berlin', offsets: [60, 120] },
  'new-york': { zone: 'America/New_York', offsets: [-300, -240] },
  'lord-howe': { zone: 'Australia/Lord_Howe', offsets: [630, 660] },
} as const;
type ZoneName = keyof typeof zones;
const names = Object.keys(zones) as ZoneName[];

const minuteMs = 60_000;
const dayMs = 86_400_000;
const first = Date.UTC(2026, 0, 2);
const days = 364;
/** So often a scheduler is gone for a day, and so often one is killed while it ticks. */
const occurrencesPerKill = 25;

const localTime = (zone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });

/** When 02:30 of each day is in a zone, found by trying its offsets; where clocks skip it, the end of what they skip. */
function expectedTimes({ zone, offsets }: (typeof zones)[ZoneName]): readonly number[] {
  const format = localTime(zone);
  return Array.from({ length: days }, (_, day) => {
    const wanted = first + day * dayMs + 150 * minuteMs;
    const text = new Date(wanted).toISOString().slice(0, 16).replace('T', ' ');
    const candidates = offsets.map((offset) => wanted - offset * minuteMs);
    const found = candidates.filter((time) => format.format(time) === text);
    // In a gap, the later offset leads to the time after it, which is as far behind its end as the time was in it.
    return found.length > 0 ? Math.min(...found) : endOfGap(format, Math.min(...candidates));
  });
}

/** The first minute at which clocks are no longer what they were before the gap. */
function endOfGap(format: Intl.DateTimeFormat, near: number): number {
  const minutesOfDay = (time: number): number => {
    const [hours = 0, minutes = 0] = format.format(time).slice(11).split(':').map(Number);
    return hours * 60 + minutes;
  };
  let time = near;
  while (minutesOfDay(time + minuteMs) === minutesOfDay(time) + 1) time += minuteMs;
  return time + minuteMs;
}

describe('a year of occurrences in three zones', () => {
  const home = useSchedulerHome();

  it('has each occurrence once, or the reason why it was skipped, although schedulers are killed', async () => {
    home.moveTo(new Date(first - 12 * 60 * minuteMs).toISOString());
    const { schedulerState } = home.stores;
    let isKilled = false;
    const stores = {
      ...home.stores,
      schedulerState: {
        ...schedulerState,
        // One that is killed has stored runs, and not yet how far it is.
        advance: (dagNames: readonly string[], to: Date) =>
          isKilled ? Promise.reject(new Error('killed')) : schedulerState.advance(dagNames, to),
      },
    };
    const dags = Object.fromEntries(
      names.flatMap((name) => {
        const schedule = `schedule: "CRON_TZ=${zones[name].zone} 30 2 * * *"\noverlap_policy: all`;
        return [
          [name, `${schedule}\ncatchup_window: 3d`],
          [`${name}-late`, schedule],
        ];
      }),
    );
    const open = () => home.open(dags, { clock: home.clock, stores });
    let missed = 0;
    const leave = ({ application }: TestWorkflow): void => void (missed += application.scheduler.counts.all.missed);

    const expected = new Map(names.map((name) => [name, expectedTimes(zones[name])]));
    let scheduler = await open();
    for (const [index, time] of [...expected.values()]
      .flat()
      .toSorted((left, right) => left - right)
      .entries()) {
      // It was due while no scheduler was there.
      if (time <= home.clock.now().getTime()) continue;
      const isDown = index % occurrencesPerKill === 0;
      home.clock.set(new Date(isDown ? time + 20 * 60 * minuteMs : time).toISOString());
      if (isDown) {
        leave(scheduler);
        scheduler = await open();
      }
      isKilled = index % occurrencesPerKill === 12;
      // What the last tick of a killed one has skipped, the next one skips again.
      if (isKilled) leave(scheduler);
      await scheduler.application.scheduler.tick().catch(() => undefined);
      if (isKilled) {
        isKilled = false;
        scheduler = await open();
      }
    }
    leave(scheduler);

    const timesOf = async (dagName: string) => {
      const runs = await home.stores.runs.scan({ dagName, workspaces: everywhere, limit: 1000 });
      return runs.map(({ scheduleTime }) => scheduleTime?.getTime() ?? 0).toSorted((left, right) => left - right);
    };
    let late = 0;
    for (const name of names) {
      await expect(timesOf(name)).resolves.toEqual(expected.get(name));
      const started = await timesOf(`${name}-late`);
      expect(new Set(started).size).toBe(started.length);
      expect(started.every((time) => expected.get(name)?.includes(time))).toBe(true);
      late += started.length;
    }
    expect(late).toBeLessThan(days * names.length);
    // None is lost without a reason, and none is counted twice.
    expect(late + missed).toBe(days * names.length);
  }, 120_000);
});
