import { createScheduleTimes, type ScheduleTimes } from '@weir/workflow-spec/schedule';
import { listCalendar } from './dag-calendar';

const times = createScheduleTimes({ timeZone: 'UTC' });
const entry = (name: string, expression: string) => ({
  fileName: name,
  dag: { name, labels: [], params: [], schedule: [{ kind: 'cron', expression }] as const },
});
const range = { after: new Date('2026-01-01T00:00:00Z'), to: new Date('2027-01-01T00:00:00Z') };

describe('listCalendar', () => {
  it('finds rare occurrences among frequent ones, in order', () => {
    const found = listCalendar(times, [entry('yearly', '0 0 1 6 *'), entry('monthly', '0 12 1 * *')], {
      ...range,
      count: 100,
    });

    expect(found).toHaveLength(13);
    expect(found.slice(4, 7).map(({ name }) => name)).toEqual(['monthly', 'yearly', 'monthly']);
  });

  it('computes few occurrences more than it returns', () => {
    const entries = Array.from({ length: 1000 }, (_, index) => entry(`dag-${index}`, '* * * * *'));
    let computed = 0;
    const counting: ScheduleTimes = {
      ...times,
      occurrences: (schedule, query) => {
        const found = times.occurrences(schedule, query);
        computed += found.length;
        return found;
      },
    };

    expect(listCalendar(counting, entries, { ...range, count: 1000 })).toHaveLength(1000);
    expect(computed).toBeLessThanOrEqual(5000);
  });

  it('finds nothing in an empty range', () => {
    const entries = [entry('often', '* * * * *')];
    expect(listCalendar(times, entries, { after: range.to, to: range.after, count: 10 })).toEqual([]);
  });
});
