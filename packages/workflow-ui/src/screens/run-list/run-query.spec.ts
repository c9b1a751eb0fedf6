import { readRunQuery } from './run-query';

const now = new Date('2026-11-23T07:20:00Z');
const read = (text: string) => readRunQuery(text, now);

it('selects by every field of the filter', () => {
  expect(read('orders status:failed status:waiting label:team=data -label:old id:2026 longer:10m shorter:2h')).toEqual({
    filter: {
      name: 'orders',
      status: [2, 7],
      labels: 'team=data,!old',
      dagRunId: '2026',
      minDurationSec: 600,
      maxDurationSec: 7200,
    },
    unknown: [],
  });
});

it('selects the same runs within an hour', () => {
  const { filter } = read('since:7d');

  expect(filter).toEqual({ fromDate: Date.parse('2026-11-16T07:00:00Z') / 1000 });
  expect(readRunQuery('since:7d', new Date('2026-11-23T07:59:59Z')).filter).toEqual(filter);
  expect(read('since:ever').filter).toEqual({ fromDate: 0 });
});

it('includes the whole last day', () => {
  const { fromDate, toDate } = read('from:2026-11-20 to:2026-11-21').filter;

  expect((toDate ?? 0) - (fromDate ?? 0)).toBe(2 * 86_400);
});

it('has no filter without a text', () => {
  expect(read('')).toEqual({ filter: {}, unknown: [] });
});

it.each(['status:lost', '-status:failed', 'colour:red', 'since:soon', 'from:yesterday', 'longer:x', '-orders'])(
  'reports %s, which has no meaning',
  (text) => {
    expect(read(`daily ${text}`)).toEqual({ filter: { name: 'daily' }, unknown: [text] });
  },
);
