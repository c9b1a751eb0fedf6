import { rfc3339 } from './rfc3339';

describe('rfc3339', () => {
  it.each([
    [0, '2026-01-02T03:04:05.678Z'],
    [-90, '2026-01-02T04:34:05.678+01:30'],
    [210, '2026-01-01T23:34:05.678-03:30'],
  ])('writes the time with the offset of the zone, %s minutes west', (west, expected) => {
    const time = new Date('2026-01-02T03:04:05.678Z');
    time.getTimezoneOffset = () => west;

    expect(rfc3339(time)).toBe(expected);
    expect(new Date(rfc3339(time))).toEqual(new Date('2026-01-02T03:04:05.678Z'));
  });
});
