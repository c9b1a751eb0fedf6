import { findCriticalPath } from './critical-path';
import type { GraphStep } from './graph-step';

const step = (name: string, durationMs: number | undefined, depends: readonly string[] = []): GraphStep => ({
  name,
  durationMs,
  depends,
  status: 'succeeded',
});

describe('the critical path', () => {
  it('is the chain of dependent steps with the longest total duration', () => {
    const steps = [
      step('a', 100),
      step('b', 900, ['a']),
      step('c', 400, ['a']),
      step('d', 700, ['c']),
      step('e', 1, ['b', 'd']),
    ];

    expect(findCriticalPath(steps)).toEqual({ names: ['a', 'c', 'd', 'e'], durationMs: 1201 });
  });

  it('goes through steps that did not run without naming them', () => {
    const steps = [step('a', 100), { ...step('b', undefined, ['a']), status: 'skipped' as const }, step('c', 5, ['b'])];

    expect(findCriticalPath(steps)).toEqual({ names: ['a', 'c'], durationMs: 105 });
  });

  it('ends with the step that failed', () => {
    const steps = [step('a', 100), { ...step('b', 50, ['a']), status: 'failed' as const }, step('c', undefined, ['b'])];

    expect(findCriticalPath(steps)?.names).toEqual(['a', 'b']);
  });

  it('does not exist while a step is running, without durations and for a single step', () => {
    expect(findCriticalPath([step('a', 1), { ...step('b', 2), status: 'running' }])).toBeUndefined();
    expect(findCriticalPath([step('a', undefined), step('b', undefined, ['a'])])).toBeUndefined();
    expect(findCriticalPath([step('a', 1)])).toBeUndefined();
    expect(findCriticalPath([step('a', 1), step('b', 2)])).toBeUndefined();
  });

  it('is not misled by a cycle', () => {
    const steps = [step('a', 1, ['b']), step('b', 2, ['a']), step('c', 1), step('d', 1, ['c'])];

    expect(findCriticalPath(steps)?.names).toEqual(['c', 'd']);
  });
});
