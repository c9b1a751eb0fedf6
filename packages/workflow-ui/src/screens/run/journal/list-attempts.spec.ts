import { listAttempts } from './list-attempts';
import type { JournalEntry } from './parse-journal-line';

const entry = (time: number, message: string, fields: JournalEntry['fields'] = {}): JournalEntry => ({
  time,
  message,
  fields: { step: 'load', ...fields },
});

it('separates the attempts of a step, each with its end', () => {
  const attempts = listAttempts([
    entry(10, 'step started'),
    entry(11, 'process started', { pid: 7 }),
    entry(20, 'attempt failed', { status: 'failed', exitCode: 3, error: 'exit status 3' }),
    entry(30, 'step started', { attempt: 2 }),
    entry(40, 'step ended', { status: 'succeeded', exitCode: 0 }),
  ]).get('load');

  expect(attempts).toEqual([
    { number: 1, startedAt: 10, endedAt: 20, status: 'failed', exitCode: 3, error: 'exit status 3' },
    { number: 2, startedAt: 30, endedAt: 40, status: 'succeeded', exitCode: 0 },
  ]);
});

it('shows since when an attempt waits for a person', () => {
  const attempts = listAttempts([entry(10, 'step started'), entry(20, 'step waits for a person')]).get('load');

  expect(attempts).toEqual([{ number: 1, startedAt: 10, waitsSince: 20 }]);
});

it('omits entries that are not about a step', () => {
  expect(listAttempts([{ time: 1, message: 'run started', fields: {} }]).size).toBe(0);
});
