import fc from 'fast-check';
import { isRunId, createRunId } from './run-id';

const at = (timeMs: number) => new Date(timeMs);
const bytes = (value: number) => (size: number) => new Uint8Array(size).fill(value);
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The UUID in its usual hexadecimal form. */
const toUuid = (id: string): string => {
  const value = Array.from(id).reduce((sum, character) => sum * 62n + BigInt(alphabet.indexOf(character)), 0n);
  return value
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

describe('createRunId', () => {
  it('is a UUIDv7 with the time in its first 48 bits', () => {
    const id = createRunId({ createdAt: at(0x0193_4567_89ab), randomBytes: bytes(0xff) });

    expect(toUuid(id)).toBe('01934567-89ab-7fff-bfff-ffffffffffff');
  });

  it('has version and variant even if all random bits are zero', () => {
    expect(toUuid(createRunId({ createdAt: at(1), randomBytes: bytes(0) }))).toBe(
      '00000000-0001-7000-8000-000000000000',
    );
  });

  it('is always 22 letters and digits, valid, and sorts by time', () => {
    const time = fc.integer({ min: 0, max: 2 ** 45 });
    const random = fc.uint8Array({ minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(time, time, random, random, (first, second, firstRandom, secondRandom) => {
        fc.pre(first < second);
        const earlier = createRunId({ createdAt: at(first), randomBytes: () => firstRandom });
        const later = createRunId({ createdAt: at(second), randomBytes: () => secondRandom });

        expect(earlier).toMatch(/^[0-9A-Za-z]{22}$/);
        expect(isRunId(earlier)).toBe(true);
        expect(earlier < later).toBe(true);
      }),
    );
  });

  it('differs by every random bit', () => {
    const ids = Array.from({ length: 80 }, (_, bit) => {
      const random = new Uint8Array(10);
      random[bit >> 3] = 1 << (bit & 7);
      return createRunId({ createdAt: at(5), randomBytes: () => random });
    });

    // 74 bits remain after time, version and variant; the other six of ten bytes are left over.
    expect(new Set(ids.filter((id) => toUuid(id) !== '00000000-0005-7000-8000-000000000000')).size).toBe(74);
  });
});

describe('isRunId', () => {
  it.each(['a', 'nightly-2026_11', 'A'.repeat(64), 'LATEST'])('accepts %s', (id) => {
    expect(isRunId(id)).toBe(true);
  });

  it.each(['', 'latest', 'a'.repeat(65), 'a/b', '..', 'a b', 'a\n', 'é'])('refuses %j', (id) => {
    expect(isRunId(id)).toBe(false);
  });
});
