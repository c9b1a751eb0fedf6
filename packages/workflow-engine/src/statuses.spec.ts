import {
  canMoveNode,
  canMoveRun,
  dependencyGate,
  isDeclinedRun,
  isActiveNode,
  isActiveRun,
  isPassedNode,
  isNodeStatus,
  isRunStatus,
  isSuccessfulNode,
  isSuccessfulRun,
  isTerminalNode,
  isTerminalRun,
  nodeStatuses,
  toNodeStatusNumber,
  findNodeStatus,
  runStatuses,
  toRunStatusNumber,
  findRunStatus,
} from './statuses';

describe('run statuses', () => {
  it('have the numbers of the wire', () => {
    expect(runStatuses.map((status) => [toRunStatusNumber(status), status])).toEqual([
      [0, 'not_started'],
      [1, 'running'],
      [2, 'failed'],
      [3, 'aborted'],
      [4, 'succeeded'],
      [5, 'queued'],
      [6, 'partially_succeeded'],
      [7, 'waiting'],
      [8, 'rejected'],
    ]);
  });

  it.each(runStatuses)('%s is found by its number', (status) => {
    expect(findRunStatus(toRunStatusNumber(status))).toBe(status);
  });

  it('know no number 9', () => {
    expect(findRunStatus(9)).toBeUndefined();
  });

  it('are active while queued, running or waiting', () => {
    expect(runStatuses.filter(isActiveRun)).toEqual(['running', 'queued', 'waiting']);
  });

  it('are terminal once ended', () => {
    expect(runStatuses.filter(isTerminalRun)).toEqual([
      'failed',
      'aborted',
      'succeeded',
      'partially_succeeded',
      'rejected',
    ]);
  });

  it('are successful in whole or in part', () => {
    expect(runStatuses.filter(isSuccessfulRun)).toEqual(['succeeded', 'partially_succeeded']);
  });

  it('leave an end only for a new attempt, or when a stop cancels the automatic retry', () => {
    for (const from of runStatuses.filter(isTerminalRun)) {
      const expected = from === 'failed' ? ['running', 'aborted', 'queued'] : ['running', 'queued'];
      expect(runStatuses.filter((to) => canMoveRun(from, to))).toEqual(expected);
    }
  });

  it.each([
    ['queued', 'running'],
    ['queued', 'aborted'],
    ['running', 'waiting'],
    ['waiting', 'queued'],
  ] as const)('may go from %s to %s', (from, to) => {
    expect(canMoveRun(from, to)).toBe(true);
  });

  it.each([
    ['queued', 'succeeded'],
    ['waiting', 'rejected'],
    ['succeeded', 'failed'],
    ['aborted', 'succeeded'],
    ['running', 'not_started'],
    ['running', 'running'],
  ] as const)('may not go from %s to %s', (from, to) => {
    expect(canMoveRun(from, to)).toBe(false);
  });

  it('are distinguished from other texts', () => {
    expect([isRunStatus('queued'), isRunStatus('skipped'), isRunStatus('toString'), isRunStatus(1)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('node statuses', () => {
  it('have the numbers of the wire', () => {
    expect(nodeStatuses.map((status) => [toNodeStatusNumber(status), status])).toEqual([
      [0, 'not_started'],
      [1, 'running'],
      [2, 'failed'],
      [3, 'aborted'],
      [4, 'succeeded'],
      [5, 'skipped'],
      [6, 'partially_succeeded'],
      [7, 'waiting'],
      [8, 'rejected'],
      [9, 'retrying'],
    ]);
  });

  it.each(nodeStatuses)('%s is found by its number', (status) => {
    expect(findNodeStatus(toNodeStatusNumber(status))).toBe(status);
  });

  it('are each not started, active or terminal', () => {
    for (const status of nodeStatuses) {
      const groups = [status === 'not_started', isActiveNode(status), isTerminalNode(status)];
      expect(groups.filter(Boolean)).toHaveLength(1);
    }
  });

  it('count a skipped node as passed but not as successful', () => {
    expect([isPassedNode('skipped'), isSuccessfulNode('skipped')]).toEqual([true, false]);
  });

  it('leave an end only by starting again', () => {
    for (const from of nodeStatuses.filter(isTerminalNode)) {
      expect(nodeStatuses.filter((to) => canMoveNode(from, to))).toEqual(['not_started']);
    }
  });

  it.each([
    ['not_started', 'succeeded'],
    ['not_started', 'retrying'],
    ['running', 'not_started'],
    ['running', 'skipped'],
  ] as const)('may not go from %s to %s', (from, to) => {
    expect(canMoveNode(from, to)).toBe(false);
  });

  it('are distinguished from other texts', () => {
    expect([isNodeStatus('skipped'), isNodeStatus('queued'), isNodeStatus(undefined)]).toEqual([true, false, false]);
  });
});

describe('dependencyGate', () => {
  it.each([
    ['succeeded', false, 'open'],
    ['partially_succeeded', false, 'open'],
    ['failed', false, 'abort'],
    ['failed', true, 'open'],
    ['skipped', false, 'skip'],
    ['skipped', true, 'open'],
    ['aborted', false, 'abort'],
    ['aborted', true, 'abort'],
  ] as const)('after %s, continuing: %s, is %s', (end, continues, gate) => {
    expect(dependencyGate(end, { onFailure: continues, onSkip: continues })).toBe(gate);
  });
});

describe('isDeclinedRun', () => {
  it.each([
    ['aborted', ['skipped', 'skipped'], true],
    ['aborted', ['skipped', 'aborted'], false],
    ['aborted', [], false],
    ['failed', ['skipped'], false],
  ] as const)('%s with %j is %s', (run, nodes, answer) => {
    expect(isDeclinedRun(run, nodes)).toBe(answer);
  });
});
