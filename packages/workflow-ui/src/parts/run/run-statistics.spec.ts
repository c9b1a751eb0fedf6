import { summariseRuns } from './run-statistics';

type Run = Parameters<typeof summariseRuns>[0][number];

const start = Date.parse('2026-11-01T00:00:00Z');
const run = (statusLabel: Run['statusLabel'], seconds: number): Run => ({
  statusLabel,
  startedAt: new Date(start).toISOString(),
  finishedAt: new Date(start + seconds * 1000).toISOString(),
});

it('computes the share of ended runs that succeeded', () => {
  const runs = [run('succeeded', 1), run('partially_succeeded', 1), run('failed', 1), run('rejected', 1)];

  expect(summariseRuns(runs)).toMatchObject({ ended: 4, successRate: 0.5 });
});

it('leaves out what was aborted or is still running', () => {
  const runs = [run('succeeded', 1), run('aborted', 1), { ...run('running', 1), finishedAt: '' }];

  expect(summariseRuns(runs)).toMatchObject({ ended: 1, successRate: 1 });
});

it('has the median and the 95th percentile of the runs that succeeded', () => {
  const runs = [...Array.from({ length: 20 }, (_, index) => run('succeeded', index + 1)), run('failed', 500)];

  expect(summariseRuns(runs)).toMatchObject({ medianMs: 10_000, slowMs: 19_000 });
});

it('computes nothing without a run', () => {
  expect(summariseRuns([])).toEqual({ ended: 0, successRate: undefined, medianMs: undefined, slowMs: undefined });
});
