import fc from 'fast-check';
import type { Schedule } from '@weir/workflow-spec';
import { createScheduleTimes } from '@weir/workflow-spec/schedule';
import { dueActions, maxCatchupOccurrences } from './due-actions';
import type { ScheduledDag } from './scheduled-dag';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const lateMs = 2 * minuteMs;
const times = createScheduleTimes({ timeZone: 'Europe/Berlin' });
const noon = new Date('2026-06-01T12:00:00Z');
const ago = (minutes: number): Date => new Date(noon.getTime() - minutes * minuteMs);
const cron = (expression: string): Schedule => ({ kind: 'cron', expression });

const aDag = (values: Partial<ScheduledDag> = {}): ScheduledDag => ({
  fileName: 'nightly',
  name: 'nightly',
  workspace: null,
  start: [],
  stop: [],
  restart: [],
  catchupMs: 0,
  overlap: 'skip',
  isSkippedAfterSuccess: false,
  restartWaitMs: 0,
  ...values,
});
const due = (dag: ScheduledDag, after: Date, to = noon) => dueActions(dag, { after, to, lateMs }, times);
const listOccurrences = (dag: ScheduledDag, after: Date, to = noon) =>
  due(dag, after, to).starts.map(({ occurrence }) => occurrence.getTime());

const expression = fc.constantFrom('* * * * *', '*/5 * * * *', '30 2 * * *', '0 * * * *', '15 1-3 * * *');
const arbitraryDag = (values: Partial<ScheduledDag>) =>
  fc.array(expression, { minLength: 1, maxLength: 3 }).map((some) => aDag({ ...values, start: some.map(cron) }));
/** Around the changes of the clocks, and in between. */
const moment = fc
  .tuple(
    fc.constantFrom('2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2026-06-01T00:00:00Z'),
    fc.integer({ min: -200, max: 200 }),
  )
  .map(([base, minutes]) => new Date(new Date(base).getTime() + minutes * minuteMs));
const length = fc.integer({ min: 0, max: 300 });
const plus = (from: Date, minutes: number): Date => new Date(from.getTime() + minutes * minuteMs);

describe('dueActions', () => {
  it('returns each occurrence once, for any division of the time', () => {
    const dag = arbitraryDag({ catchupMs: 24 * hourMs, overlap: 'all' });
    fc.assert(
      fc.property(dag, moment, length, length, (one, from, first, second) => {
        const [middle, end] = [plus(from, first), plus(from, first + second)];

        expect([...listOccurrences(one, from, middle), ...listOccurrences(one, middle, end)]).toEqual(
          listOccurrences(one, from, end),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('returns the newest start of a DAG without a catch-up window, unless it is late', () => {
    fc.assert(
      fc.property(arbitraryDag({}), moment, length, (one, from, minutes) => {
        const to = plus(from, minutes);
        const occurrences = listOccurrences(one, from, to);
        const all = times.last(one.start, { after: from, to }, 1000).map((occurrence) => occurrence.getTime());

        expect(occurrences.length).toBeLessThanOrEqual(1);
        expect(occurrences.every((occurrence) => occurrence === all.at(-1) && occurrence > to.getTime() - lateMs)).toBe(
          true,
        );
        expect(occurrences.length + due(one, from, to).missed.length).toBe(all.length);
      }),
      { numRuns: 40 },
    );
  });

  it('looks back over the whole window, and separates missed occurrences from current ones', () => {
    const dag = aDag({ start: [cron('0 * * * *')], catchupMs: 3 * hourMs, overlap: 'all' });

    expect(due(dag, ago(600))).toEqual({
      stop: undefined,
      restart: undefined,
      starts: [
        { occurrence: ago(120), kind: 'catchup' },
        { occurrence: ago(60), kind: 'catchup' },
        { occurrence: noon, kind: 'scheduled' },
      ],
      missed: [10, 9, 8, 7, 6, 5, 4, 3].slice(0, 7).map((hours) => ago(hours * 60 - 60)),
      excluded: [],
    });
  });

  it('returns at most the newest 1,000', () => {
    const dag = aDag({ start: [cron('* * * * *')], catchupMs: 48 * hourMs, overlap: 'all' });
    const occurrences = listOccurrences(dag, ago(2000));

    expect(occurrences).toHaveLength(maxCatchupOccurrences);
    expect(occurrences.at(-1)).toBe(noon.getTime());
  });

  it('returns only the newest missed occurrence with the policy latest', () => {
    const dag = aDag({ start: [cron('0 * * * *')], catchupMs: 6 * hourMs, overlap: 'latest' });

    expect(due(dag, ago(301), ago(1)).starts).toEqual([{ occurrence: ago(60), kind: 'catchup' }]);
  });

  it.each([
    ['in its minute', 0, 1],
    ['a little later', 1, 1],
    ['too late', 2, 0],
    ['in its catch-up window', 50, 1, hourMs],
    ['after its catch-up window', 61, 0, hourMs],
  ])('returns one point in time %s', (_, minutes, count, catchupMs = 0) => {
    const dag = aDag({ start: [{ kind: 'at', at: ago(minutes).toISOString() }], catchupMs });
    const expected = [{ occurrence: ago(minutes), kind: 'oneoff' }].slice(0, count);

    expect(due(dag, ago(90)).starts).toEqual(expected);
  });

  it('returns only current stops and restarts', () => {
    const dag = aDag({ stop: [cron('0 * * * *')], restart: [cron('30 * * * *')], catchupMs: 6 * hourMs });

    expect(due(dag, ago(300))).toMatchObject({ stop: noon, restart: undefined });
    expect(due(dag, ago(300), ago(28))).toMatchObject({ stop: undefined, restart: undefined });
    expect(due(dag, ago(300), ago(29))).toMatchObject({ stop: undefined, restart: ago(30) });
  });

  it('returns a restart instead of a start at the same time', () => {
    const dag = aDag({ start: [cron('* * * * *')], restart: [cron('0 * * * *')] });

    expect(due(dag, ago(1))).toEqual({ stop: undefined, restart: noon, starts: [], missed: [], excluded: [] });
  });
});
