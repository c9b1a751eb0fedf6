import { RE2JS as Library } from 're2js';
import { loadWantedPatterns, RE2JS } from './pattern-library';

it('loads the library once a pattern was read, and compiles with it from then on', async () => {
  expect(await loadWantedPatterns()).toBe(false);
  expect(() => RE2JS.compile('^a+$')).toThrow('not loaded yet');

  expect(await loadWantedPatterns()).toBe(true);
  expect(RE2JS.compile('^a+$').matcher('aaa').find()).toBe(true);
  expect(() => RE2JS.compile('(')).toThrow('missing closing )');
  expect(await loadWantedPatterns()).toBe(false);
});

it('quotes every character of a text as the library does', () => {
  const text = String.raw`a.b*c\d[e]{f}(g)^$|?+-/ ü #`;

  expect(RE2JS.quote(text)).toBe(Library.quote(text));
});
