import fc from 'fast-check';
import { countEnd, emptyTally, deriveRunStatus, type StopReason } from './status-tally';
import type { RunStatus } from '../../model/statuses/run-status';
import type { NodeEnd } from '../../model/statuses/node-status';

type End = NodeEnd | 'continued' | 'open';

const countEnds = (ends: readonly End[]) =>
  ends
    .filter((end) => end !== 'open')
    .reduce(
      (tally, end) => (end === 'continued' ? countEnd(tally, 'failed', true) : countEnd(tally, end, false)),
      emptyTally(ends.length),
    );

describe('runOutcomeOf', () => {
  it.each<[readonly End[], StopReason | undefined, RunStatus]>([
    [[], undefined, 'succeeded'],
    [['succeeded', 'skipped'], undefined, 'succeeded'],
    [['skipped'], undefined, 'succeeded'],
    [['succeeded', 'open'], undefined, 'running'],
    [['failed', 'open'], undefined, 'running'],
    [['succeeded', 'failed'], undefined, 'failed'],
    [['aborted'], undefined, 'failed'],
    [['succeeded', 'continued'], undefined, 'partially_succeeded'],
    [['skipped', 'continued'], undefined, 'failed'],
    [['continued'], undefined, 'failed'],
    [['partially_succeeded'], undefined, 'partially_succeeded'],
    [['succeeded', 'continued', 'failed'], undefined, 'failed'],
    [['succeeded', 'aborted'], 'stopped', 'aborted'],
    [['succeeded', 'open'], 'stopped', 'aborted'],
    [['succeeded', 'succeeded'], 'stopped', 'succeeded'],
    [['succeeded', 'continued'], 'stopped', 'partially_succeeded'],
    [['succeeded', 'aborted'], 'timed_out', 'failed'],
    [['succeeded', 'succeeded'], 'timed_out', 'succeeded'],
  ])('%j, stop %s, is %s', (ends, stop, status) => {
    expect(deriveRunStatus(countEnds(ends), stop)).toBe(status);
  });

  it('does not depend on the order of the ends', () => {
    const ends = fc.array(
      fc.constantFrom<End>('succeeded', 'partially_succeeded', 'skipped', 'failed', 'aborted', 'continued'),
    );
    fc.assert(
      fc.property(ends, (list) => {
        expect(deriveRunStatus(countEnds(list), undefined)).toBe(
          deriveRunStatus(countEnds(list.toReversed()), undefined),
        );
      }),
    );
  });
});
