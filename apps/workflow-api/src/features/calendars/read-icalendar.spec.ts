import { readICalendar } from './read-icalendar';

const event = (...lines: readonly string[]) => ['BEGIN:VEVENT', 'UID:x', ...lines, 'END:VEVENT'];
const file = (...events: readonly (readonly string[])[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR'].join('\r\n');
const read = (text: string, from = '2026-01-01', to = '2028-12-31') => readICalendar({ text, from, to });

it('reads whole days with their names, each day of an event that has several', () => {
  const text = file(
    event('SUMMARY:Labour Day', 'DTSTART;VALUE=DATE:20260501'),
    event('SUMMARY:Christmas', 'DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261227'),
  );
  expect(read(text)).toEqual({
    holidays: [
      { date: '2026-05-01', name: 'Labour Day' },
      { date: '2026-12-25', name: 'Christmas' },
      { date: '2026-12-26', name: 'Christmas' },
    ],
    ignored: 0,
  });
});

it('repeats yearly events within the wanted dates, except those that are excluded', () => {
  const text = file(
    event('SUMMARY:New Year', 'DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=YEARLY', 'EXDATE;VALUE=DATE:20270101'),
    event('SUMMARY:Thanksgiving', 'DTSTART;VALUE=DATE:20261126', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH'),
  );
  expect(read(text).holidays.map(({ date }) => date)).toEqual([
    '2026-01-01',
    '2026-11-26',
    '2027-11-25',
    '2028-01-01',
    '2028-11-23',
  ]);
});

it('counts what is no holiday: events with a time of day, cancelled ones, and other repetitions', () => {
  const text = file(
    event('SUMMARY:Meeting', 'DTSTART:20260501T090000Z'),
    event('SUMMARY:Gone', 'STATUS:CANCELLED', 'DTSTART;VALUE=DATE:20260502'),
    event('SUMMARY:Each day', 'DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=DAILY'),
  );
  expect(read(text)).toEqual({ holidays: [], ignored: 3 });
});

it.each([
  ['another text', 'holidays: 2026-12-25'],
  ['a list of contacts', 'BEGIN:VCARD\r\nEND:VCARD'],
  ['a file that ends in the middle', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n'],
  ['too many events', file(...Array.from({ length: 2_001 }, () => event('DTSTART;VALUE=DATE:20260501')))],
])('refuses %s', (_, text) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ reason: 'icalendar_invalid' }) as Error);
});
