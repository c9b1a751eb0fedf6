import fc from 'fast-check';
import { parseDuration } from './duration';

const range = { minSeconds: 1, maxSeconds: 43_200, maxText: '12h' };

describe('parseDuration', () => {
  it.each([
    ['3600s', 3600],
    ['3600', 3600],
    ['90m', 5400],
    ['1h', 3600],
    ['1h30m', 5400],
    ['1h 30m', 5400],
    ['30m, 1h', 5400],
    ['1s', 1],
    ['43200s', 43_200],
    ['12h', 43_200],
    ['1h30', 3630],
    ['1 h', 3600],
    ['1h, ', 3600],
    ['1 0s', 10],
  ])('reads %s as %d seconds', (text, value) => {
    expect(parseDuration(text, range)).toEqual({ ok: true, value });
  });

  it.each(['1.5h', '-1s', '+1s', '1d', '1H', 's', ' , ', '1e3s', '٣s', '0x10s', '1h\u00001m', '9999999999s'])(
    'refuses %j, which is not a duration',
    (text) => {
      expect(parseDuration(text, range)).toMatchObject({ ok: false, reason: 'duration_invalid' });
    },
  );

  it.each(['0s', '0', '43201s', '13h', '999999999h'])(
    'refuses %s, which is out of range, and names the range',
    (text) => {
      expect(parseDuration(text, range)).toMatchObject({
        ok: false,
        reason: 'duration_out_of_range',
        message: expect.stringContaining('Use 1s to 12h.') as string,
      });
    },
  );

  it('adds up any parts in any order', () => {
    const part = fc.tuple(fc.nat(9), fc.constantFrom('s', 'm', 'h'));
    const unit = { s: 1, m: 60, h: 3600 };
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('', ' ', ', '),
        (parts, separator) => {
          const seconds = parts.reduce((sum, [count, name]) => sum + count * unit[name], 0);
          const text = parts.map(([count, name]) => `${count}${name}`).join(separator);
          expect(parseDuration(text, { ...range, minSeconds: 0, maxSeconds: 1_000_000 })).toEqual({
            ok: true,
            value: seconds,
          });
        },
      ),
    );
  });

  it('accepts only whole numbers within the range', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const result = parseDuration(text, range);
        if (!result.ok) return;
        expect(Number.isInteger(result.value)).toBe(true);
        expect(result.value).toBeGreaterThanOrEqual(1);
        expect(result.value).toBeLessThanOrEqual(43_200);
      }),
    );
  });
});
