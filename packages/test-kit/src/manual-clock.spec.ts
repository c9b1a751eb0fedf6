import { createManualClock } from './manual-clock';

describe('createManualClock', () => {
  it('stands still until it is moved', () => {
    const clock = createManualClock('2026-03-01T00:00:00Z');
    expect(clock.now()).toEqual(new Date('2026-03-01T00:00:00Z'));
    clock.advance(1500);
    expect(clock.now().toISOString()).toBe('2026-03-01T00:00:01.500Z');
    clock.set('2026-04-01T00:00:00Z');
    expect(clock.nowMs()).toBe(Date.parse('2026-04-01T00:00:00Z'));
  });

  it('returns dates that cannot change it', () => {
    const clock = createManualClock();
    const before = clock.nowMs();
    clock.now().setFullYear(1999);
    expect(clock.nowMs()).toBe(before);
  });

  it('refuses to go back and refuses invalid times', () => {
    const clock = createManualClock();
    expect(() => clock.advance(-1)).toThrow('does not go back');
    expect(() => createManualClock('yesterday')).toThrow('Not a moment');
  });

  it('wakes sleepers whose time has come, in the order of their times', async () => {
    const clock = createManualClock();
    const woken: string[] = [];
    const sleepers = [
      clock.sleep(200).then(() => woken.push('second')),
      clock.sleep(100).then(() => woken.push('first')),
      clock.sleep(300).then(() => woken.push('third')),
    ];
    expect(clock.sleeperCount()).toBe(3);
    clock.advance(200);
    await Promise.all(sleepers.slice(0, 2));
    expect(woken).toEqual(['first', 'second']);
    expect(clock.sleeperCount()).toBe(1);
    clock.advance(100);
    await sleepers[2];
  });

  it('ends a sleep when its signal aborts', async () => {
    const clock = createManualClock();
    const abort = new AbortController();
    const sleep = clock.sleep(100, abort.signal);
    abort.abort(new Error('stopped'));
    await expect(sleep).rejects.toThrow('stopped');
    expect(clock.sleeperCount()).toBe(0);
    await expect(clock.sleep(100, abort.signal)).rejects.toThrow('stopped');
  });
});
