import { waitFor } from '@weir/test-kit';
import { createTestWorkflow } from '../../testing/workflow-api';
import { steps, useSchedulerHome } from '../../testing/scheduler/use-scheduler-home';

const home = useSchedulerHome();
const { listOccurrences } = home;

describe('a tick', () => {
  it('settles an occurrence once when the file of its DAG changes while others are being settled', async () => {
    const job = 'schedule: "10 12 * * *"';
    const { runs } = home.stores;
    const changed: string[] = [];
    const insert: typeof runs.insert = async (...given) => {
      // The occurrence of the job is only skipped, so that it is settled before this one can be stored.
      await test.addDag('job', `${job}\ndescription: changed\n${steps}`);
      changed.push('job');
      return runs.insert(...given);
    };
    const stores = { ...home.stores, runs: { ...runs, insert } };
    const test = await home.open({ job, other: 'schedule: "0 13 * * *"' }, { clock: home.clock, stores });
    await home.tickAt(test, '13:00:00');
    await home.tickAt(test, '13:00:30');

    expect(changed).toEqual(['job']);
    await expect(listOccurrences('other')).resolves.toEqual(['13:00']);
    expect(test.application.scheduler.counts.all).toMatchObject({ missed: 1, started: 1 });
  });
});

describe('the loop', () => {
  it('ticks at each full minute until it is stopped', async () => {
    const { clock } = home;
    const pauses: number[] = [];
    const timer = {
      start: (afterMs: number, due: () => void) => {
        pauses.push(afterMs);
        const cancelled = new AbortController();
        clock.sleep(afterMs, cancelled.signal).then(due, () => undefined);
        return () => cancelled.abort();
      },
    };
    const test = await createTestWorkflow({
      clock,
      platform: home.stores,
      config: { timeZone: 'UTC' },
      options: { timer },
    });
    home.stopAfterCase(test);
    const { scheduler } = test.application;
    await scheduler.prepare();
    await test.addDag('job', `schedule: "* * * * *"\noverlap_policy: all\n${steps}`);
    scheduler.start();
    // Other parts of the server wait, too, but none of them for these durations.
    for (const { occurrence, afterMs } of [
      { occurrence: '12:01', afterMs: 30_000 },
      { occurrence: '12:02', afterMs: 60_000 },
    ]) {
      await waitFor(() => pauses.includes(afterMs), { what: 'the scheduler to wait' });
      clock.advance(afterMs);
      await waitFor(async () => (await listOccurrences('job')).includes(occurrence), {
        what: `the occurrence of ${occurrence}`,
      });
    }
    await scheduler.stop();
    clock.advance(60_000);

    await expect(listOccurrences('job')).resolves.toEqual(['12:01', '12:02']);
  });
});
