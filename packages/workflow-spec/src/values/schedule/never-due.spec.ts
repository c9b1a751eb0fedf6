import fc from 'fast-check';
import { parseCron } from './cron';
import { isNeverDue } from './never-due';

const start = new Date('2026-01-01T00:00:00Z');
const months = ['JAN', 'feb', 'Mar', 'APR', 'may', 'jun', 'JUL', 'aug', 'sep', 'oct', 'nov', 'dec'];

function field(first: number, last: number, names: readonly string[] = []): fc.Arbitrary<string> {
  const value = fc.integer({ min: first, max: last });
  const word = value.map((number) => names[number - 1] ?? String(number));
  const range = fc.tuple(value, value).map(([left, right]) => `${Math.min(left, right)}-${Math.max(left, right)}`);
  const step = fc.tuple(fc.oneof(fc.constant('*'), range), fc.integer({ min: 1, max: last }));
  const part = fc.oneof(
    word,
    range,
    step.map(([base, by]) => `${base}/${by}`),
  );
  return fc.oneof(
    fc.constant('*'),
    fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(',')),
  );
}

describe('isNeverDue', () => {
  it('agrees with a search through the years', () => {
    const weekday = fc.constantFrom('*', '*', '1-5');
    const high = fc.oneof(field(1, 31), fc.constantFrom('29', '30', '31', '30,31', '31-31', '29-31/2'));
    const low = fc.oneof(field(1, 12, months), fc.constantFrom('2', 'FEB', '4', '4,6', '2-2', '2,APR', '*/2'));
    let never = 0;
    fc.assert(
      fc.property(high, low, weekday, (day, month, week) => {
        const parsed = parseCron(`0 0 ${day} ${month} ${week}`, 'UTC');
        fc.pre(!('problem' in parsed));
        const isNever = parsed.times.next(start) === undefined;
        if (isNever) never += 1;
        expect([day, month, week, isNeverDue(parsed.fields)]).toEqual([day, month, week, isNever]);
      }),
      { numRuns: 1500 },
    );
    expect(never).toBeGreaterThan(10);
  });

  it.each(['0 0 L 2 *', '0 0 31W 4 *', '0 0 31 4 MON'])('is false for %s', (expression) => {
    expect(isNeverDue(expression.split(' '))).toBe(false);
  });
});
