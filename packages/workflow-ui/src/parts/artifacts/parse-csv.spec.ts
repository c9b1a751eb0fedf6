import { parseCsv } from './parse-csv';

it('reads quotes, commas and line breaks in values', () => {
  expect(parseCsv('a,"b, c"\r\n"say ""no""","two\nlines"\n', 10)).toEqual([
    ['a', 'b, c'],
    ['say "no"', 'two\nlines'],
  ]);
});

it('keeps empty values, and leaves empty lines out', () => {
  expect(parseCsv('a,,c\n\n,,\n', 10)).toEqual([
    ['a', '', 'c'],
    ['', '', ''],
  ]);
});

it('reads no more rows than the limit', () => {
  expect(parseCsv('1\n2\n3\n', 2)).toEqual([['1'], ['2']]);
});
