import { exactJson, parseExactJson, parseForOutput } from './exact-json';
import { hasLongNumber } from './long-numbers';

const texts = [
  '{"id":9007199254740993}',
  '{"list":[1,-12345678901234567890,2],"in":{"deep":[[9007199254740993]]}}',
  '{"x":0.12345678901234567890123,"y":12345678.1234567890}',
  '{"x":1e400,"y":-1E-999}',
  '{"x":1.5,"y":"9007199254740993","z":null}',
];

describe('exactJson', () => {
  it.each(texts)('writes the digits that were parsed: %s', (text) => {
    expect(exactJson(parseExactJson(text) as object)).toBe(text);
  });

  it('has the same values as JSON.parse, without further keys', () => {
    const parsed = parseExactJson('{"id":9007199254740993,"list":[1e400]}');
    expect(parsed).toStrictEqual({ id: 2 ** 53, list: [Infinity] });
    expect(Object.entries(parsed as object)).toHaveLength(2);
  });

  it('refuses the same text as JSON.parse', () => {
    expect(() => parseExactJson('{"id":9007199254740993')).toThrow(SyntaxError);
  });
});

describe('hasLongNumber', () => {
  it.each([
    ['{"id":1234567890123456}', true],
    ['[0.123456789012345]', true],
    ['-9007199254740993', true],
    ['[1e400]', true],
    ['[12345678, 123456789012345, -1.5]', false],
    ['{"1234567890123456789":"12345678901234567890","a\\\\":"\\"1e999","b":[true,false,null]}', false],
    ['{"text":"12345678901234567890', false],
  ])('%s: %s', (text, expected) => {
    expect(hasLongNumber(text)).toBe(expected);
  });
});

describe('parseForOutput', () => {
  it.each(texts)('keeps the digits when it is written as JSON: %s', (text) => {
    expect(JSON.stringify(parseForOutput(text))).toBe(text);
  });
});
