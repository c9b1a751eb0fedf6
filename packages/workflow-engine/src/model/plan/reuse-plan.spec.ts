import type { Step } from '@weir/workflow-spec';
import type { NodeStatus } from '../statuses/node-status';
import { aRunStep } from '../../testing/run-builders';
import { planReuse } from './reuse-plan';

const aStep = (name: string, depends: readonly string[] = [], more: Partial<Step> = {}): Step => ({
  name,
  run: { kind: 'commands', commands: ['true'] },
  depends,
  env: [],
  ...more,
});
const aRouter = (name: string, routes: Readonly<Record<string, readonly string[]>>) =>
  aStep(name, [], { run: { kind: 'action', action: 'router.route', with: { value: 'x', routes } } });
const changed = { run: { kind: 'commands', commands: ['false'] } } as const;

const earlier = (nodes: readonly (readonly [Step, NodeStatus])[]) => ({
  steps: nodes.map(([step]) => step),
  rows: nodes.map(([{ name }, status], position) => aRunStep({ position, name, status })),
});

describe('planReuse', () => {
  const flow = earlier([
    [aStep('a'), 'succeeded'],
    [aStep('b', ['a']), 'failed'],
    [aStep('c', ['b']), 'aborted'],
    [aStep('x'), 'partially_succeeded'],
  ]);

  it('executes steps that did not pass, with the reason, and reuses the rest', () => {
    const { reusable, refused, executed } = planReuse([aStep('a'), aStep('b', ['a']), aStep('x')], flow);

    expect(executed).toEqual([1]);
    expect([...reusable].map(([index, { name, position }]) => [index, name, position])).toEqual([
      [0, 'a', 0],
      [2, 'x', 3],
    ]);
    expect([...refused]).toEqual([[1, 'The step did not pass: its status is failed.']]);
  });

  it('executes a step whose definition changed and those after it, but lets them be reused', () => {
    const steps = [aStep('a', [], changed), aStep('y', ['a']), aStep('x', ['y'])];
    const { reusable, refused, executed } = planReuse(steps, flow);

    expect(executed).toEqual([0, 1, 2]);
    expect([...reusable.keys()]).toEqual([0, 2]);
    expect([...refused]).toEqual([[1, 'The run has no step of this name.']]);
  });

  it('reuses a step with other dependencies and another description', () => {
    const steps = [aStep('x'), aStep('a', ['x'], { description: 'new' })];

    expect(planReuse(steps, flow).executed).toEqual([]);
  });

  it('keeps the route that a reused router chose', () => {
    const steps = [aRouter('router', { x: ['one'], y: ['two'] }), aStep('one', ['router']), aStep('two', ['router'])];
    const run = earlier(
      steps.map((step, index) => [step, (['succeeded', 'failed', 'skipped'] as const)[index] ?? 'failed']),
    );

    expect(planReuse(steps, run).executed).toEqual([1]);
  });
});
