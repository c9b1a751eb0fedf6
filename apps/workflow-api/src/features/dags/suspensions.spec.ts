import { createManualClock } from '@weir/test-kit';
import { createInMemoryDagFlagRepository } from './in-memory-dag-flag-repository';
import { createSuspensions } from './suspensions';

const moment = new Date('2026-01-02T03:04:05Z');

describe('createSuspensions', () => {
  it('reads the flags again after a second, because other processes may change them', async () => {
    const flags = createInMemoryDagFlagRepository();
    const clock = createManualClock();
    const suspensions = createSuspensions({ flags, clock });
    await suspensions.refresh();
    await flags.setSuspended('a', true, moment);

    clock.advance(999);
    await expect(suspensions.refresh()).resolves.toEqual([]);
    clock.advance(1);
    await expect(suspensions.refresh()).resolves.toEqual(['a']);
    await flags.setSuspended('a', false, moment);
    clock.advance(1000);
    await expect(suspensions.refresh()).resolves.toEqual(['a']);
    expect(suspensions.has('a')).toBe(false);
  });

  it('knows its own changes at once, which win over a read that began before', async () => {
    const flags = createInMemoryDagFlagRepository();
    const suspensions = createSuspensions({ flags, clock: createManualClock() });
    const reading = suspensions.refresh();
    await suspensions.set('a', true);
    await reading;

    expect(suspensions.has('a')).toBe(true);
  });
});
