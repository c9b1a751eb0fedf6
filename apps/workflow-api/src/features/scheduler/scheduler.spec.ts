import { waitFor } from '@weir/test-kit';
import { createTestWorkflow } from '../../testing/workflow-api';
import { steps, useSchedulerHome } from './testing/use-scheduler-home';

const home = useSchedulerHome();
const { listOccurrences } = home;

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
