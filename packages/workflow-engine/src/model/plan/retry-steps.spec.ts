import type { Step } from '@weir/workflow-spec';
import { planDag } from './plan';
import { stepsToRetry, type RetryChoice } from './retry-steps';
import type { NodeStatus } from '../statuses/node-status';

const aStep = (name: string, depends: readonly string[] = [], more: Partial<Step> = {}): Step => ({
  name,
  run: { kind: 'commands', commands: ['true'] },
  depends,
  env: [],
  ...more,
});
const aRouter = (name: string, routes: Readonly<Record<string, readonly string[]>>, depends: readonly string[] = []) =>
  aStep(name, depends, { run: { kind: 'action', action: 'router.route', with: { value: 'x', routes } } });

const again = (nodes: readonly (readonly [Step, NodeStatus])[], choice?: RetryChoice) => {
  const steps = nodes.map(([step]) => step);
  const statuses = nodes.map(([, status]) => status);
  return stepsToRetry(planDag(steps), statuses, choice).map((index) => steps[index]?.name);
};

describe('stepsToRetry', () => {
  const chain = [
    [aStep('a'), 'succeeded'],
    [aStep('b', ['a']), 'failed'],
    [aStep('c', ['b']), 'aborted'],
    [aStep('x'), 'succeeded'],
  ] as const;

  it('chooses unsuccessful steps and all steps downstream of them', () => {
    expect(again(chain)).toEqual(['b', 'c']);
  });

  it('chooses steps that ran despite a failure before them', () => {
    expect(
      again([
        [aStep('a'), 'failed'],
        [aStep('b', ['a']), 'succeeded'],
        [aStep('c'), 'skipped'],
      ]),
    ).toEqual(['a', 'b']);
  });

  it('chooses one step alone, or with the steps downstream of it', () => {
    expect(again(chain, { only: 0 })).toEqual(['a']);
    expect(again(chain, { only: 0, downstream: true })).toEqual(['a', 'b', 'c']);
  });

  it('keeps the route of a router that is not retried', () => {
    const nodes = [
      [aRouter('router', { x: ['one'], y: ['two'] }), 'succeeded'],
      [aStep('slow'), 'failed'],
      [aStep('one', ['router', 'slow']), 'aborted'],
      [aStep('two', ['router', 'slow'], { id: 'second' }), 'skipped'],
      [aStep('after', ['two']), 'skipped'],
    ] as const;

    expect(again(nodes)).toEqual(['slow', 'one']);
    expect(again(nodes, { only: 3, downstream: true })).toEqual(['two', 'after']);
  });

  it('lets a retried router choose again', () => {
    expect(
      again([
        [aStep('first'), 'failed'],
        [aRouter('router', { x: ['one'], y: ['second'] }, ['first']), 'succeeded'],
        [aStep('one', ['router']), 'succeeded'],
        [aStep('two', ['router'], { id: 'second' }), 'skipped'],
      ]),
    ).toEqual(['first', 'router', 'one', 'two']);
  });

  it('skips the routers below a route that was not taken', () => {
    expect(
      again([
        [aRouter('router', { x: ['one'], y: ['inner'] }), 'succeeded'],
        [aStep('slow'), 'failed'],
        [aRouter('inner', { x: ['two'] }, ['router', 'slow']), 'skipped'],
        [aStep('two', ['inner', 'slow']), 'skipped'],
        [aStep('one', ['router']), 'succeeded'],
      ]),
    ).toEqual(['slow']);
  });

  // Work that grows with the square of the steps would take minutes.
  it('finds 10,000 steps in a chain', () => {
    const nodes = Array.from({ length: 10_000 }, (_, index) => {
      const status: NodeStatus = index === 0 ? 'failed' : 'aborted';
      return [aStep(`s${index}`, index === 0 ? [] : [`s${index - 1}`]), status] as const;
    });
    expect(again(nodes)).toHaveLength(10_000);
  });
});
