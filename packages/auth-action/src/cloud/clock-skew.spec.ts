import { withClockSkew } from './clock-skew';

describe('withClock', () => {
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
  const server = Date.parse(date);

  it.each([
    ['ahead', 45_400, 45],
    ['behind', -30_000, -30],
  ])('reports how far the runner is %s', (_name, skewMs, clockSkewSeconds) => {
    expect(withClockSkew({ status: 400 }, date, server + skewMs)).toEqual({ status: 400, clockSkewSeconds });
  });

  it.each([
    ['a small difference', date, server + 29_999],
    ['no date', undefined, server],
    ['a date that is none', 'yesterday', server],
  ])('reports nothing about %s', (_name, header, now) => {
    expect(withClockSkew({ status: 400 }, header, now)).toEqual({ status: 400 });
  });
});
