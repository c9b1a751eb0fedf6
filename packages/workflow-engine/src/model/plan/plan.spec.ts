import type { Step } from '@weir/workflow-spec';
import { planDag } from './plan';

const catchError = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

const aStep = (name: string, depends: readonly string[] = []): Step => ({
  name,
  run: { kind: 'commands', commands: ['true'] },
  depends,
  env: [],
});

describe('planDag', () => {
  it('indexes dependencies and dependents', () => {
    const plan = planDag([
      aStep('merge', ['left', 'right']),
      aStep('left'),
      aStep('right'),
      aStep('report', ['merge']),
    ]);

    expect(plan.indegrees).toEqual([2, 0, 0, 1]);
    expect(plan.dependents).toEqual([[3], [0], [0], []]);
    expect(plan.indexOf.get('report')).toBe(3);
  });

  it('counts a dependency that is named twice once', () => {
    const plan = planDag([aStep('a'), aStep('b', ['a', 'a'])]);

    expect(plan.indegrees).toEqual([0, 1]);
    expect(plan.dependents).toEqual([[1], []]);
  });

  it('plans a DAG without steps', () => {
    expect(planDag([]).indegrees).toEqual([]);
  });

  it.each([
    ['a circle', [aStep('start'), aStep('a', ['start', 'c']), aStep('b', ['a']), aStep('c', ['b'])]],
    ['a step that waits for itself', [aStep('a', ['a'])]],
    ['a dependency that does not exist', [aStep('a', ['b'])]],
    ['two steps of the same name', [aStep('a'), aStep('a')]],
  ])('refuses %s', (_case, steps) => {
    expect(catchError(() => planDag(steps))).toMatchObject({ code: 'internal', reason: 'plan_impossible' });
  });
});
