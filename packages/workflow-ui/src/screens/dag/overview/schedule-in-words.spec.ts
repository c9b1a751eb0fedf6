import { scheduleInWords } from './schedule-in-words';

const say = (expression: string) => scheduleInWords([{ kind: 'cron', expression }]);

it('describes a cron expression in words', () => {
  expect(say('30 2 * * 1-5')).toEqual([
    { expression: '30 2 * * 1-5', timeZone: undefined, words: 'At 02:30, Monday through Friday' },
  ]);
});

it('returns the time zone of an entry separately', () => {
  expect(say('CRON_TZ=Europe/Berlin 0 12 * * *')).toMatchObject([{ timeZone: 'Europe/Berlin', words: 'At 12:00' }]);
});

it.each([
  ['@daily', 'At 00:00'],
  ['@every 1h30m', 'Every 1h 30m'],
])('describes the short form %s in words', (expression, words) => {
  expect(say(expression)).toMatchObject([{ expression, words }]);
});

it('keeps text that is not a cron expression unchanged', () => {
  expect(say('every blue moon')).toMatchObject([{ words: 'every blue moon' }]);
});

it('omits entries without an expression', () => {
  expect(scheduleInWords([{ kind: 'at', at: '2026-11-23T00:00:00Z' }])).toEqual([]);
});
