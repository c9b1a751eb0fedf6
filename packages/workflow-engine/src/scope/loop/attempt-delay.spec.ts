import fc from 'fast-check';
import { computeDelayMs } from './attempt-delay';

describe('computeDelayMs', () => {
  it.each([
    [{ intervalSec: 2 }, [2_000, 2_000, 2_000]],
    [{ intervalSec: 2, backoff: 2 }, [2_000, 4_000, 8_000]],
    [{ intervalSec: 2, backoff: 1.5, maxIntervalSec: 4 }, [2_000, 3_000, 4_000]],
    [{ intervalSec: 0, backoff: 10 }, [0, 0, 0]],
    [{ intervalSec: 60, maxIntervalSec: 5 }, [5_000, 5_000, 5_000]],
  ])('of %j is %j', (waits, expected) => {
    expect([0, 1, 2].map((waited) => computeDelayMs(waits, waited))).toEqual(expected);
  });

  it('never shrinks, never exceeds its limit and is always a number', () => {
    const waits = fc.record({ intervalSec: fc.nat(), backoff: fc.double({ min: 1, max: 1e6, noNaN: true }) });
    fc.assert(
      fc.property(waits, fc.nat(10_000), fc.nat(100_000), (policy, waited, maxIntervalSec) => {
        const before = computeDelayMs({ ...policy, maxIntervalSec }, waited);
        const after = computeDelayMs({ ...policy, maxIntervalSec }, waited + 1);
        expect(after).toBeGreaterThanOrEqual(before);
        expect(after).toBeLessThanOrEqual(maxIntervalSec * 1000);
      }),
    );
  });
});
