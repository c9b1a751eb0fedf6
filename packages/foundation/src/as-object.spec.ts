import { asObject } from './as-object';

describe('asObject', () => {
  it('returns an object unchanged', () => {
    const value: unknown = { a: 1 };
    expect(asObject(value)).toBe(value);
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['a string', 'a'],
    ['a number', 1],
    ['nothing', undefined],
  ])('returns nothing for %s', (_case, value: unknown) => {
    expect(asObject(value)).toBeUndefined();
  });
});
