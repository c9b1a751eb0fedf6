import { parseLabelFilter } from './label-filter';

describe('parseLabelFilter', () => {
  it.each([undefined, '', ' , ', '!'])('finds no filter in %j', (text) => {
    expect(parseLabelFilter(text)).toBeUndefined();
  });

  const labels = ['draft', 'env=prod-eu', 'team=data'];

  it.each([
    ['draft', true],
    ['DRAFT', true],
    ['team', true],
    ['team=data', true],
    ['team=', false],
    ['team=ops', false],
    ['dat', false],
    ['dr*', true],
    ['*', true],
    ['t??m=d*a', true],
    ['env=*-eu', true],
    ['env=prod?eu', true],
    ['env=prod', false],
    ['!missing', true],
    ['!draft', false],
    ['!team=ops', true],
    ['draft, team=data, !x', true],
    ['draft,missing', false],
  ])('answers for %s: %s', (text, expected) => {
    expect(parseLabelFilter(text)?.(labels)).toBe(expected);
  });

  it('takes a bounded time for a hostile pattern', () => {
    const filter = parseLabelFilter(`${'*a'.repeat(2000)}b`);

    expect(filter?.(['a'.repeat(5000)])).toBe(false);
  });
});
