import { formatTerms, freeText, labelFilter, parseTerms, valuesOf, withValues } from './query-terms';

it('reads words, keys with values, quoted values and exclusions', () => {
  expect(parseTerms('  orders Label:"two words" -label:etl id:a:b ')).toEqual([
    { key: '', value: 'orders', isExcluded: false },
    { key: 'label', value: 'two words', isExcluded: false },
    { key: 'label', value: 'etl', isExcluded: true },
    { key: 'id', value: 'a:b', isExcluded: false },
  ]);
});

it.each(['orders', 'label:team=data -label:etl', 'label:"two words" status:failed', '-orders'])(
  'writes %s unchanged',
  (text) => {
    expect(formatTerms(parseTerms(text))).toBe(text);
  },
);

it('treats an unclosed quote, and a key without a value, as words', () => {
  expect(parseTerms('"open label:')).toEqual([
    { key: '', value: '"open', isExcluded: false },
    { key: '', value: 'label:', isExcluded: false },
  ]);
});

it('changes only the values of one key', () => {
  const text = 'orders status:failed -status:queued label:etl';

  expect(withValues(text, 'status', ['running', 'waiting'])).toBe(
    'orders -status:queued label:etl status:running status:waiting',
  );
  expect(withValues(text, 'status', [])).toBe('orders -status:queued label:etl');
  expect(valuesOf(text, 'status')).toEqual(['failed']);
});

it('uses words as the name and labels as the filter of labels', () => {
  const terms = parseTerms('daily label:etl orders -label:old');

  expect(freeText(terms)).toBe('daily orders');
  expect(labelFilter(terms)).toBe('etl,!old');
  expect(labelFilter(parseTerms('daily'))).toBeUndefined();
});
