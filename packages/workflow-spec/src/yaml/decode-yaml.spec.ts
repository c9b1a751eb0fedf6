import { jsonSchemaProblem } from '../json-schema/json-schema-problem';
import { decodeYaml } from './decode-yaml';

describe('decodeYaml', () => {
  it.each([
    ['a: 1\nb: [x, null]\n', { a: 1, b: ['x', null] }],
    ['', null],
    ['"ü"', 'ü'],
  ])('of %j gives %j', (text, value) => {
    expect(decodeYaml(text)).toEqual({ value });
  });

  it.each(['a: [', 'a: secret\na: secret\n', 'a: 1\n---\nb: 2\n'])('of %j gives a problem without the text', (text) => {
    expect(decodeYaml(text)).toEqual({ problem: expect.not.stringContaining('secret') as string });
  });
});

describe('jsonSchemaProblem', () => {
  const schema = { $schema: 'https://json-schema.org/draft-07/schema#', type: 'object', required: ['a'] };

  it('finds nothing in a value that fits', () => {
    expect(jsonSchemaProblem({ ...schema, $async: true }, { a: 1 })).toBeUndefined();
  });

  it.each([
    [schema, { b: 1 }, "must have required property 'a'"],
    [{ properties: { a: { pattern: '^x+$' } } }, { a: 'secret' }, '/a must match pattern "^x+$"'],
    [{ $async: true, ...schema }, {}, "must have required property 'a'"],
    [{ $ref: '#' }, 1, 'the schema refers to itself endlessly'],
  ])('%j refuses %j', (rules, value, problem) => {
    expect(jsonSchemaProblem(rules, value)).toBe(problem);
  });
});
