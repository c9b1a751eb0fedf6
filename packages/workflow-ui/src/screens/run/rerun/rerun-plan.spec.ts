import type { Node } from '../../../parts/run/run-data';
import { keptSteps, planRetry, planWithSpec } from './rerun-plan';

type Label = Node['statusLabel'];

const node = (
  name: string,
  statusLabel: Label,
  depends: readonly string[] = [],
  step: Partial<Node['step']> = {},
): Node => ({
  step: { name, depends: [...depends], ...step },
  statusLabel,
  status: 0,
  stdout: '',
  stderr: '',
  startedAt: '',
  finishedAt: '',
  retryCount: 0,
  doneCount: 0,
});

const nodes = [
  node('fetch', 'succeeded'),
  node('check', 'failed', ['fetch']),
  node('notify', 'succeeded', ['fetch']),
  node('load', 'aborted', ['check']),
  node('report', 'succeeded', ['check']),
];

describe('a retry of the run', () => {
  it.each([
    ['failed', '', ['check', 'load', 'report']],
    ['from-step', 'fetch', ['fetch', 'check', 'notify', 'load', 'report']],
    ['only-step', 'notify', ['notify']],
    ['all', '', ['fetch', 'check', 'notify', 'load', 'report']],
  ] as const)('of the scope %s executes what the server would', (scope, step, runs) => {
    const plan = planRetry(nodes, { scope, step });

    expect(plan.runs).toEqual(runs);
    expect([...plan.runs, ...plan.reused].toSorted()).toEqual(nodes.map((each) => each.step.name).toSorted());
  });

  it('omits steps skipped by a router that is not executed again', () => {
    const router = { executorConfig: { type: 'router.route', config: { routes: { a: ['left'], b: ['right'] } } } };
    const routed = [
      node('route', 'succeeded', [], router),
      node('broken', 'failed', ['route']),
      node('left', 'succeeded', ['route']),
      node('right', 'skipped', ['broken', 'route']),
    ];

    expect(planRetry(routed, { scope: 'failed', step: '' }).runs).toEqual(['broken']);
  });
});

describe('a retry with another spec', () => {
  const preview = {
    skippedSteps: ['fetch', 'notify'],
    steps: nodes.map(({ step }) => step),
    ineligibleSteps: [{ stepName: 'check', reason: 'It has not passed.' }],
  };

  it('keeps what the server suggests for the steps that failed', () => {
    expect(keptSteps(preview, { scope: 'failed', step: '' })).toEqual(['fetch', 'notify']);
  });

  it('keeps all steps except one and its dependents', () => {
    expect(keptSteps(preview, { scope: 'from-step', step: 'notify' })).toEqual(['fetch', 'load', 'report']);
  });

  it('keeps nothing when all are executed', () => {
    expect(keptSteps(preview, { scope: 'all', step: '' })).toEqual([]);
  });

  it('lists which steps run, which are reused, and which cannot be reused', () => {
    expect(planWithSpec(preview, { scope: 'from-step', step: 'notify' })).toEqual({
      runs: ['notify'],
      reused: ['fetch', 'load', 'report'],
      forced: [{ name: 'check', reason: 'It has not passed.' }],
    });
  });
});
