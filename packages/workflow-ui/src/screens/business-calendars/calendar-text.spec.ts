import { formatHolidays, mergeHolidays, parseHolidays } from './calendar-text';

const christmas = { date: '2026-12-25', name: 'Christmas Day' };

it('reads what it has written', () => {
  const holidays = [christmas, { date: '2027-01-01' }];
  expect(parseHolidays(formatHolidays(holidays))).toEqual({ holidays });
});

it('ignores empty lines and names the first line without a date', () => {
  expect(parseHolidays('\n  2026-12-25   Christmas Day \n')).toEqual({ holidays: [christmas] });
  expect(parseHolidays('2026-12-25\n25.12.2027')).toEqual({ badLine: 2 });
});

it('keeps the names that are there when holidays of a file are added', () => {
  const added = [{ date: '2026-12-25', name: 'Xmas' }, { date: '2026-05-01' }];
  expect(mergeHolidays([christmas], added)).toEqual([{ date: '2026-05-01' }, christmas]);
});
