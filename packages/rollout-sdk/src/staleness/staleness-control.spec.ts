import fc from 'fast-check';
import { StalenessControl } from './staleness-control';

const forever = (): AbortSignal => new AbortController().signal;

describe('the capacity', () => {
  it.each([
    { maxConcurrent: 8, batchSize: 4, maxStaleness: 0, version: 0, capacity: 4 },
    { maxConcurrent: 8, batchSize: 4, maxStaleness: 1, version: 0, capacity: 8 },
    { maxConcurrent: 2, batchSize: 4, maxStaleness: 1, version: 0, capacity: 2 },
    { maxConcurrent: 100, batchSize: 4, maxStaleness: 2, version: 0, capacity: 12 },
    { maxConcurrent: 8, batchSize: 4, maxStaleness: 0, version: 5, capacity: 4 },
  ])('is $capacity at the start with $maxConcurrent, $batchSize, $maxStaleness at version $version', (given) => {
    expect(new StalenessControl(given).capacity).toBe(given.capacity);
  });

  it('is released by a rejected episode and stays occupied by an accepted one', async () => {
    const control = new StalenessControl({ maxConcurrent: 8, batchSize: 2, maxStaleness: 0 });
    await control.acquire(forever());
    await control.acquire(forever());
    expect(control.capacity).toBe(0);
    control.release(false);
    expect(control.capacity).toBe(1);
    control.release(true);
    expect(control.capacity).toBe(1);
  });

  it('grows by a batch with each version', async () => {
    const control = new StalenessControl({ maxConcurrent: 8, batchSize: 2, maxStaleness: 0 });
    for (let episode = 0; episode < 2; episode += 1) {
      await control.acquire(forever());
      control.release(true);
    }
    expect(control.capacity).toBe(0);
    control.setVersion(1);
    expect(control.capacity).toBe(2);
  });

  it('never lets an episode start that would be too stale', async () => {
    const step = fc.constantFrom('start', 'accept', 'reject', 'train');
    const options = fc.record({
      maxConcurrent: fc.integer({ min: 1, max: 6 }),
      batchSize: fc.integer({ min: 1, max: 4 }),
      maxStaleness: fc.integer({ min: 0, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(options, fc.array(step, { maxLength: 80 }), async (given, steps) => {
        const control = new StalenessControl(given);
        for (const one of steps) {
          if (one === 'start' && control.capacity > 0) {
            // The batch that it will be part of, were all that is ahead of it accepted.
            const trainedAt = Math.floor((control.accepted + control.running) / given.batchSize);
            expect(trainedAt - control.version).toBeLessThanOrEqual(given.maxStaleness);
            await control.acquire(forever());
          }
          if ((one === 'accept' || one === 'reject') && control.running > 0) control.release(one === 'accept');
          if (one === 'train' && control.accepted >= (control.version + 1) * given.batchSize) {
            control.setVersion(control.version + 1);
          }
          expect(control.running).toBeLessThanOrEqual(given.maxConcurrent);
        }
      }),
    );
  });
});

describe('acquire', () => {
  it('waits for free capacity', async () => {
    const control = new StalenessControl({ maxConcurrent: 1, batchSize: 4, maxStaleness: 0 });
    await control.acquire(forever());
    const order: string[] = [];
    const second = control.acquire(forever()).then(() => order.push('second'));
    order.push('released');
    control.release(true);
    await second;
    expect(order).toEqual(['released', 'second']);
  });

  it('rejects when its signal aborts, without occupying capacity', async () => {
    const control = new StalenessControl({ maxConcurrent: 1, batchSize: 4, maxStaleness: 0 });
    await control.acquire(forever());
    const controller = new AbortController();
    const waiting = control.acquire(controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(control.running).toBe(1);
  });
});

describe('the class', () => {
  it.each([{ maxConcurrent: 0 }, { batchSize: 0 }, { maxStaleness: -1 }, { batchSize: 1.5 }])('refuses %p', (wrong) => {
    expect(() => new StalenessControl({ maxConcurrent: 1, batchSize: 1, maxStaleness: 0, ...wrong })).toThrow(
      RangeError,
    );
  });

  it('refuses a lower version', () => {
    const control = new StalenessControl({ maxConcurrent: 1, batchSize: 1, maxStaleness: 0, version: 3 });
    expect(() => control.setVersion(2)).toThrow(RangeError);
  });

  it('refuses the end of an episode that is not running', () => {
    const control = new StalenessControl({ maxConcurrent: 1, batchSize: 1, maxStaleness: 0 });
    expect(() => control.release(true)).toThrow(RangeError);
  });
});
