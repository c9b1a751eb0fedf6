import type { Step } from '@weir/workflow-spec';
import fc from 'fast-check';
import { planDag } from '../../model/plan/plan';
import { createScopeState } from './scope-state';
import type { NodeEnd } from '../../model/statuses/node-status';

const catchError = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

const aStep = (index: number, depends: readonly number[] = []): Step => ({
  name: `s${index}`,
  run: { kind: 'commands', commands: ['true'] },
  depends: depends.map((dependency) => `s${dependency}`),
  env: [],
});
const aPlan = (...depends: readonly (readonly number[])[]) => planDag(depends.map((list, index) => aStep(index, list)));

/** The streams of fast-check never end, which their type does not say. */
const next = <T>(stream: Iterator<T, unknown>): T => {
  const result = stream.next();
  if (result.done === true) throw new Error('the stream has ended');
  return result.value;
};

/** Per step the steps before it that it waits for. */
const randomDag = fc
  .integer({ min: 1, max: 30 })
  .chain((size) =>
    fc.tuple(
      ...Array.from({ length: size }, (_, index) => fc.uniqueArray(fc.nat(Math.max(0, index - 1)), { maxLength: 4 })),
    ),
  )
  .map((lists) => lists.map((list, index) => list.filter((dependency) => dependency < index)));

describe('takeReady', () => {
  it('returns the steps without dependencies first, in their order', () => {
    expect(createScopeState(aPlan([], [0], []), 0).takeReady()).toEqual([0, 2]);
  });

  it('returns a step once', () => {
    const state = createScopeState(aPlan([]), 0);
    state.takeReady();

    expect(state.takeReady()).toEqual([]);
  });

  it('returns a dependent when the last of its dependencies has succeeded', () => {
    const state = createScopeState(aPlan([], [], [0, 1]), 0);
    state.takeReady();
    state.finish(0, 'succeeded');
    expect(state.takeReady()).toEqual([]);
    state.finish(1, 'succeeded');

    expect(state.takeReady()).toEqual([2]);
  });

  it('returns no more steps at the same time than the limit', () => {
    const state = createScopeState(aPlan([], [], []), 2);
    expect(state.takeReady()).toEqual([0, 1]);
    expect(state.takeReady()).toEqual([]);
    state.finish(1, 'failed');

    expect(state.takeReady()).toEqual([2]);
  });
});

describe('finish', () => {
  it('aborts everything downstream of a failed step and nothing else', () => {
    const state = createScopeState(aPlan([], [0], [1], [], [3, 2]), 0);
    state.takeReady();

    expect(state.finish(0, 'failed')).toEqual([1, 2, 4].map((index) => ({ index, status: 'aborted' })));
    expect(state.getStatus(3)).toBe('running');
  });

  it('refuses a step that is not running', () => {
    const state = createScopeState(aPlan([], [0]), 0);

    expect(catchError(() => state.finish(1, 'succeeded'))).toMatchObject({ reason: 'run_state_misused' });
    expect(catchError(() => state.finish(7, 'succeeded'))).toMatchObject({ reason: 'run_state_misused' });
  });
});

describe('stop', () => {
  it('aborts steps that have not started and lets running steps finish', () => {
    const state = createScopeState(aPlan([], [], [0]), 1);
    state.takeReady();

    expect(state.stop()).toEqual([1, 2]);
    expect(state.getStatus(0)).toBe('running');
    state.finish(0, 'succeeded');
    expect([state.isFinished(), state.takeReady()]).toEqual([true, []]);
  });
});

describe('runOutcome', () => {
  const ended = (ends: readonly NodeEnd[]) => {
    const state = createScopeState(aPlan(...ends.map(() => [])), 0);
    state.takeReady();
    for (const [index, end] of ends.entries()) state.finish(index, end);
    return state;
  };

  it('is succeeded when every step is', () => {
    expect(ended(['succeeded', 'succeeded']).runStatus()).toBe('succeeded');
  });

  it('is failed when a step failed', () => {
    expect(ended(['succeeded', 'failed']).runStatus()).toBe('failed');
  });

  it('is failed when a step was aborted although the run was not stopped', () => {
    expect(ended(['aborted']).runStatus()).toBe('failed');
  });

  it('is running while a step is', () => {
    const state = createScopeState(aPlan([], []), 0);
    state.takeReady();
    state.finish(0, 'failed');

    expect(state.runStatus()).toBe('running');
  });

  it('is aborted when the run was stopped before all steps succeeded', () => {
    const state = createScopeState(aPlan([], [0]), 0);
    state.takeReady();
    state.stop();
    state.finish(0, 'succeeded');

    expect(state.runStatus()).toBe('aborted');
  });

  it('is succeeded when the stop came too late to change anything', () => {
    const state = ended(['succeeded']);
    state.stop();

    expect(state.runStatus()).toBe('succeeded');
  });
});

describe('any DAG', () => {
  it('ends every step exactly once, none before its dependencies, never more at once than allowed', () => {
    const ends = fc.infiniteStream(
      fc.constantFrom<NodeEnd>('succeeded', 'succeeded', 'succeeded', 'failed', 'aborted'),
    );
    const choices = fc.infiniteStream(fc.nat());
    fc.assert(
      fc.property(randomDag, fc.nat(4), ends, choices, (depends, limit, endings, picks) => {
        const state = createScopeState(aPlan(...depends), limit);
        const running: number[] = [];
        const succeeded = new Set<number>();
        const endCounts = new Map<number, number>();
        const count = (index: number) => endCounts.set(index, (endCounts.get(index) ?? 0) + 1);
        while (!state.isFinished()) {
          for (const index of state.takeReady()) {
            expect(depends[index]?.every((dependency) => succeeded.has(dependency))).toBe(true);
            running.push(index);
          }
          expect(running.length).toBeGreaterThan(0);
          if (limit > 0) expect(running.length).toBeLessThanOrEqual(limit);
          const [index = -1] = running.splice(next(picks) % running.length, 1);
          const end = next(endings);
          if (end === 'succeeded') succeeded.add(index);
          count(index);
          for (const blocked of state.finish(index, end)) count(blocked.index);
        }
        expect([...endCounts.values()].every((times) => times === 1)).toBe(true);
        expect(endCounts.size).toBe(depends.length);
        expect(state.runStatus()).toBe(succeeded.size === depends.length ? 'succeeded' : 'failed');
      }),
    );
  });

  const size = 100_000;
  const layer = 100;
  it.each<[string, (index: number) => readonly number[]]>([
    ['a chain', (index) => (index === 0 ? [] : [index - 1])],
    ['all side by side', () => []],
    ['one before and after all others', (index) => (index === 0 ? [] : [0])],
    ['layers', (index) => (index < layer ? [] : [index - layer, index - 1 - (index % layer)])],
  ])(
    'of 100,000 steps, %s, is planned and finished, which takes many minutes if the work grows with the square',
    (_case, dependsOf) => {
      const state = createScopeState(
        planDag(Array.from({ length: size }, (_, index) => aStep(index, dependsOf(index)))),
        64,
      );
      const running: number[] = [];
      while (!state.isFinished()) {
        running.push(...state.takeReady());
        state.finish(running.pop() ?? -1, 'succeeded');
      }

      expect(state.runStatus()).toBe('succeeded');
    },
  );

  it('aborts a chain of 100,000 steps without running out of stack', () => {
    const plan = planDag(Array.from({ length: size }, (_, index) => aStep(index, index === 0 ? [] : [index - 1])));
    const state = createScopeState(plan, 0);
    state.takeReady();

    expect(state.finish(0, 'failed')).toHaveLength(size - 1);
  });
});
