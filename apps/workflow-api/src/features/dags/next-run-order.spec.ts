import fc from 'fast-check';
import { createScheduleTimes } from '@weir/workflow-spec/schedule';
import { compareEntries, type DagEntry } from './dag-entry';
import { createNextRunOrder } from './next-run-order';
import { createSortedList } from './sorted-list';

const entry = (fileName: string, expression?: string): DagEntry => ({
  fileName,
  filePath: `/dags/${fileName}.yaml`,
  mark: '',
  dag: {
    name: fileName,
    labels: [],
    params: [],
    schedule: expression === undefined ? [] : [{ kind: 'cron', expression: `CRON_TZ=UTC ${expression}` }],
  },
  errors: [],
  calls: [],
  secrets: [],
  sortKey: fileName.toLowerCase(),
});
const names = (entries: readonly DagEntry[]): readonly string[] => entries.map(({ fileName }) => fileName);
const noon = new Date('2026-01-02T12:00:00Z');

describe('createSortedList', () => {
  it('keeps the order of a sorted array through any insertions and removals', () => {
    const change = fc.record({ add: fc.boolean(), value: fc.integer({ min: 0, max: 30 }) });
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const list = createSortedList<number>((left, right) => left - right);
        const expected = new Set<number>();
        for (const { add, value } of changes) {
          if (add) list.insert(value);
          else list.remove(value);
          if (add) expected.add(value);
          else expected.delete(value);
        }
        expect(list.all()).toEqual([...expected].toSorted((left, right) => left - right));
        expect(list.length).toBe(expected.size);
      }),
    );
  });
});

describe('createNextRunOrder', () => {
  const filled = () => {
    const order = createNextRunOrder(createScheduleTimes());
    order.put(entry('evening', '0 18 * * *'), false, noon);
    order.put(entry('b-never'), false, noon);
    order.put(entry('hourly', '0 * * * *'), false, noon);
    order.put(entry('a-resting', '0 * * * *'), true, noon);
    order.put(entry('also-hourly', '0 * * * *'), false, noon);
    return order;
  };

  it('puts those without a next run last in both directions, by name', () => {
    const order = filled();

    expect(names(order.page('asc', 0, 9))).toEqual(['also-hourly', 'hourly', 'evening', 'a-resting', 'b-never']);
    expect(names(order.page('desc', 0, 9))).toEqual(['evening', 'hourly', 'also-hourly', 'a-resting', 'b-never']);
  });

  it.each(['asc', 'desc'] as const)('returns the same order in pages of any size, %s', (direction) => {
    const order = filled();
    const whole = names(order.page(direction, 0, 5));

    for (const size of [1, 2, 3, 4]) {
      const pages = [0, 1, 2, 3, 4].flatMap((page) => names(order.page(direction, page * size, size)));
      expect(pages).toEqual(whole);
    }
  });

  it('computes passed occurrences again', () => {
    const order = filled();
    order.refresh(new Date('2026-01-02T18:30:00Z'));

    expect(order.getNextRun('hourly')).toEqual(new Date('2026-01-02T19:00:00Z'));
    expect(order.getNextRun('evening')).toEqual(new Date('2026-01-03T18:00:00Z'));
    expect(names(order.page('asc', 0, 3))).toEqual(['also-hourly', 'hourly', 'evening']);
  });

  it('drops removed entries', () => {
    const order = filled();
    for (const name of ['hourly', 'b-never']) order.remove(entry(name));

    expect(names(order.page('asc', 0, 9))).toEqual(['also-hourly', 'evening', 'a-resting']);
    expect(order.getNextRun('hourly')).toBeUndefined();
  });

  it('orders names without regard to case and ties by file name', () => {
    const same = (fileName: string): DagEntry => ({ ...entry(fileName), sortKey: 'same' });

    expect(compareEntries(same('b'), same('a'))).toBeGreaterThan(0);
    expect(compareEntries(entry('B'), entry('a'))).toBeGreaterThan(0);
  });
});
