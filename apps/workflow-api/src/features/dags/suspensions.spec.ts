import { createManualClock } from '@weir/test-kit';
import { createInMemoryDagFlagRepository } from './in-memory-dag-flag-repository';
import { createSuspensions } from './suspensions';

const moment = new Date('2026-01-02T03:04:05Z');

describe('createSuspensions', () => {
  it('asks once where nobody else can change the flags', async () => {
    const flags = createInMemoryDagFlagRepository();
    await flags.setSuspended('a', true, moment);
    const suspensions = createSuspensions({ flags, clock: createManualClock(), isShared: false });

    await expect(suspensions.refresh()).resolves.toEqual(['a']);
    await flags.setSuspended('b', true, moment);
    await expect(suspensions.refresh()).resolves.toEqual([]);
    expect([suspensions.has('a'), suspensions.has('b')]).toEqual([true, false]);
  });

  it('asks again after a second where others can', async () => {
    const flags = createInMemoryDagFlagRepository();
    const clock = createManualClock();
    const suspensions = createSuspensions({ flags, clock, isShared: true });
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

  it('knows its own changes at once, and they win over a read that began before', async () => {
    const flags = createInMemoryDagFlagRepository();
    const suspensions = createSuspensions({ flags, clock: createManualClock(), isShared: true });
    const reading = suspensions.refresh();
    await suspensions.set('a', true);
    await reading;

    expect(suspensions.has('a')).toBe(true);
  });
});
