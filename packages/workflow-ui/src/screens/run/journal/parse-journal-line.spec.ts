import { parseJournalLine } from './parse-journal-line';

it('reads time, message and fields', () => {
  const line = '2026-05-01T02:00:00.250Z attempt failed step="on/failure/page" attempt=2 exitCode=3 nextAfterMs=1000';

  expect(parseJournalLine(line)).toEqual({
    time: Date.parse('2026-05-01T02:00:00.250Z'),
    message: 'attempt failed',
    fields: { step: 'on/failure/page', attempt: 2, exitCode: 3, nextAfterMs: 1000 },
  });
});

it('reads errors with quotes, line breaks and text that looks like a field', () => {
  const line = String.raw`2026-05-01T02:00:00.000Z step ended step="load" error="say \"no\"\nexitCode=9 to it" exitCode=1`;

  expect(parseJournalLine(line)?.fields).toEqual({ step: 'load', error: 'say "no"\nexitCode=9 to it', exitCode: 1 });
});

it('reads a message without fields', () => {
  expect(parseJournalLine('2026-05-01T02:00:00.000Z run stopped')).toMatchObject({
    message: 'run stopped',
    fields: {},
  });
});

it('is undefined for text that is not an entry', () => {
  expect(parseJournalLine('a line of something else')).toBeUndefined();
});
