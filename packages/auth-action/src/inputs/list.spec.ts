import fc from 'fast-check';
import { parseList, spaceOrComma, splitList } from './list';
import { validInput, invalidInput } from './parsed-input';

describe('splitList', () => {
  it.each([
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    ['a\nb\r\nc', ['a', 'b', 'c']],
    [' a , b \n c ', ['a', 'b', 'c']],
    [',a,,b,\n\n', ['a', 'b']],
    [String.raw`a\,b,c`, ['a,b', 'c']],
    [String.raw`a\b`, [String.raw`a\b`]],
    [' , \n', []],
  ])('splits %j into %j', (text, items) => {
    expect(splitList(text)).toEqual(items);
  });

  it('splits at spaces as well if they separate', () => {
    expect(splitList('a b\tc, d\n e', spaceOrComma)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('restores a joined list, with any separators', () => {
    const item = fc.stringMatching(/^[a-z:/@.,-]{1,20}$/);
    fc.assert(
      fc.property(fc.array(item), fc.constantFrom(',', '\n', ' ,\r\n', ', '), (items, separator) => {
        const text = items.map((one) => one.replaceAll(',', String.raw`\,`)).join(separator);
        expect(splitList(text)).toEqual(items);
      }),
    );
  });
});

describe('parseList', () => {
  const parseItem = (item: string) =>
    item === 'x' ? invalidInput('scope_invalid', 'is x.') : validInput(item.toUpperCase());

  it('parses every item', () => {
    expect(parseList('a,b', parseItem)).toEqual({ ok: true, value: ['A', 'B'] });
  });

  it('reports the invalid item', () => {
    expect(parseList('a\nx', parseItem)).toEqual({ ok: false, reason: 'scope_invalid', message: '(item 2) is x.' });
  });

  it('refuses a list of separators', () => {
    expect(parseList(', ,', parseItem)).toMatchObject({ ok: false, reason: 'list_empty' });
  });

  it('accepts at most 100 items', () => {
    expect(parseList('a,'.repeat(100), parseItem).ok).toBe(true);
    expect(parseList('a,'.repeat(101), parseItem)).toMatchObject({ ok: false, reason: 'list_too_long' });
  });
});
