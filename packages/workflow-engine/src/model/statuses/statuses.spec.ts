import { dependencyGate, nodeStatus } from './node-status';
import { runStatus } from './run-status';

describe('run statuses', () => {
  it('have the numbers of the wire', () => {
    expect(runStatus.all.map((status) => [runStatus.toNumber(status), status])).toEqual([
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

  it.each(runStatus.all)('%s is found by its number', (status) => {
    expect(runStatus.fromNumber(runStatus.toNumber(status))).toBe(status);
  });

  it('do not include number 9', () => {
    expect(runStatus.fromNumber(9)).toBeUndefined();
  });

  it('are active while queued, running or waiting', () => {
    expect(runStatus.all.filter(runStatus.isActive)).toEqual(['running', 'queued', 'waiting']);
  });

  it('are terminal once ended', () => {
    expect(runStatus.all.filter(runStatus.isTerminal)).toEqual([
      'failed',
      'aborted',
      'succeeded',
      'partially_succeeded',
      'rejected',
    ]);
  });

  it('are successful in whole or in part', () => {
    expect(runStatus.all.filter(runStatus.isSuccessful)).toEqual(['succeeded', 'partially_succeeded']);
  });

  it('leave a terminal status only for a new attempt, or when a stop cancels the automatic retry', () => {
    for (const from of runStatus.all.filter(runStatus.isTerminal)) {
      const expected = from === 'failed' ? ['running', 'aborted', 'queued'] : ['running', 'queued'];
      expect(runStatus.all.filter((to) => runStatus.canMove(from, to))).toEqual(expected);
    }
  });

  it.each([
    ['queued', 'running'],
    ['queued', 'aborted'],
    ['running', 'waiting'],
    ['waiting', 'queued'],
  ] as const)('may go from %s to %s', (from, to) => {
    expect(runStatus.canMove(from, to)).toBe(true);
  });

  it.each([
    ['queued', 'succeeded'],
    ['waiting', 'rejected'],
    ['succeeded', 'failed'],
    ['aborted', 'succeeded'],
    ['running', 'not_started'],
    ['running', 'running'],
  ] as const)('may not go from %s to %s', (from, to) => {
    expect(runStatus.canMove(from, to)).toBe(false);
  });

  it('are distinguished from other strings', () => {
    expect([runStatus.is('queued'), runStatus.is('skipped'), runStatus.is('toString'), runStatus.is(1)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('node statuses', () => {
  it('have the numbers of the wire', () => {
    expect(nodeStatus.all.map((status) => [nodeStatus.toNumber(status), status])).toEqual([
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

  it.each(nodeStatus.all)('%s is found by its number', (status) => {
    expect(nodeStatus.fromNumber(nodeStatus.toNumber(status))).toBe(status);
  });

  it('are each not started, active or terminal', () => {
    for (const status of nodeStatus.all) {
      const groups = [status === 'not_started', nodeStatus.isActive(status), nodeStatus.isTerminal(status)];
      expect(groups.filter(Boolean)).toHaveLength(1);
    }
  });

  it('count a skipped node as passed but not as successful', () => {
    expect([nodeStatus.isPassed('skipped'), nodeStatus.isSuccessful('skipped')]).toEqual([true, false]);
  });

  it('leave a terminal status only by starting again', () => {
    for (const from of nodeStatus.all.filter(nodeStatus.isTerminal)) {
      expect(nodeStatus.all.filter((to) => nodeStatus.canMove(from, to))).toEqual(['not_started']);
    }
  });

  it.each([
    ['not_started', 'succeeded'],
    ['not_started', 'retrying'],
    ['running', 'not_started'],
    ['running', 'skipped'],
  ] as const)('may not go from %s to %s', (from, to) => {
    expect(nodeStatus.canMove(from, to)).toBe(false);
  });

  it('are distinguished from other strings', () => {
    expect([nodeStatus.is('skipped'), nodeStatus.is('queued'), nodeStatus.is(undefined)]).toEqual([true, false, false]);
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

describe('runStatus.isDeclined', () => {
  it.each([
    ['aborted', ['skipped', 'skipped'], true],
    ['aborted', ['skipped', 'aborted'], false],
    ['aborted', [], false],
    ['failed', ['skipped'], false],
  ] as const)('%s with %j is %s', (run, nodes, answer) => {
    expect(runStatus.isDeclined(run, nodes)).toBe(answer);
  });
});
