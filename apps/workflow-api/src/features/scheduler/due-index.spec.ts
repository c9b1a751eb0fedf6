import { createScheduleTimes, type ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { ScheduledDag } from './scheduled-dag';
import { createDueIndex } from './due-index';

const at = (time: string): Date => new Date(`2026-06-01T${time}:00Z`);
const aDag = (fileName: string, expression: string): ScheduledDag => ({
  fileName,
  name: fileName,
  workspace: null,
  start: [{ kind: 'cron', expression }],
  stop: [],
  restart: [],
  catchupMs: 0,
  overlap: 'skip',
  isSkippedAfterSuccess: false,
  restartWaitMs: 0,
});

function countingTimes(): ScheduleTimes & { readonly countQueries: () => number } {
  const times = createScheduleTimes({ timeZone: 'UTC' });
  let count = 0;
  return {
    ...times,
    nextNamed: (schedule, after) => {
      count += 1;
      return times.nextNamed(schedule, after);
    },
    countQueries: () => count,
  };
}

describe('createDueIndex', () => {
  const filled = () => {
    const times = countingTimes();
    const book = createDueIndex(times);
    book.put(aDag('hourly', '0 * * * *'), at('11:30'));
    book.put(aDag('daily', '0 18 * * *'), at('11:30'));
    book.put(aDag('never', '0 0 31 4 *'), at('11:30'));
    return { book, times };
  };
  const dueNames = (book: ReturnType<typeof createDueIndex>, to: Date) => book.due(to).map(({ dag }) => dag.fileName);

  it('returns the DAGs that are due until they are settled', () => {
    const { book } = filled();

    expect(dueNames(book, at('11:59'))).toEqual([]);
    expect(dueNames(book, at('12:00'))).toEqual(['hourly']);
    expect(dueNames(book, at('18:00'))).toEqual(['hourly', 'daily']);
    book.settle('hourly', at('12:00'));
    expect(dueNames(book, at('12:00'))).toEqual([]);
    expect(dueNames(book, at('13:00'))).toEqual(['hourly']);
  });

  it('computes no times for a DAG that is not due', () => {
    const { book, times } = filled();
    const before = times.countQueries();
    for (const { dag } of book.due(at('12:00'))) book.settle(dag.fileName, at('12:00'));

    expect(times.countQueries() - before).toBe(1);
  });

  it('keeps a due occurrence when the file changes, and adds no earlier ones of the new schedule', () => {
    const { book } = filled();
    book.put(aDag('hourly', '*/30 * * * *'), at('12:00'));
    expect(book.due(at('12:01'))).toMatchObject([{ settledUntil: new Date(at('12:00').getTime() - 1) }]);

    book.put(aDag('daily', '0 14 * * *'), at('15:00'));
    expect(dueNames(book, at('15:00'))).toEqual(['hourly']);
  });

  it('keeps occurrences settled that were settled after the time of a change', () => {
    const { book } = filled();
    book.settle('hourly', at('12:00'));
    book.put(aDag('hourly', '*/30 * * * *'), at('11:30'));

    expect(dueNames(book, at('12:00'))).toEqual([]);
    expect(dueNames(book, at('12:30'))).toEqual(['hourly']);
  });

  it('drops removed DAGs', () => {
    const { book } = filled();
    book.remove('hourly');
    book.settle('hourly', at('12:00'));

    expect(dueNames(book, at('12:00'))).toEqual([]);
    expect([book.has('hourly'), book.has('daily'), book.size]).toEqual([false, true, 2]);
  });
});
