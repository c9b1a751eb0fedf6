import { jsonSchemaProblem } from './json-schema/json-schema-problem';
import { decodeYaml } from './decode-yaml';

describe('decodeYaml', () => {
  it.each([
    ['a: 1\nb: [x, null]\n', { a: 1, b: ['x', null] }],
    ['', null],
    ['"ü"', 'ü'],
  ])('decodes %j to %j', (text, value) => {
    expect(decodeYaml(text)).toEqual({ value });
  });

  it.each(['a: [', 'a: secret\na: secret\n', 'a: 1\n---\nb: 2\n'])(
    'reports a problem for %j without quoting it',
    (text) => {
      expect(decodeYaml(text)).toEqual({ problem: expect.not.stringContaining('secret') as string });
    },
  );
});

describe('jsonSchemaProblem', () => {
  const schema = { $schema: 'https://json-schema.org/draft-07/schema#', type: 'object', required: ['a'] };

  it('accepts a matching value', () => {
    expect(jsonSchemaProblem({ ...schema, $async: true }, { a: 1 })).toBeUndefined();
  });

  it.each([
    [schema, { b: 1 }, "must have required property 'a'"],
    [{ properties: { a: { pattern: '^x+$' } } }, { a: 'secret' }, '/a must match pattern "^x+$"'],
    [{ $async: true, ...schema }, {}, "must have required property 'a'"],
    [{ $ref: '#' }, 1, 'the schema refers to itself endlessly'],
  ])('%j rejects %j', (rules, value, problem) => {
    expect(jsonSchemaProblem(rules, value)).toBe(problem);
  });
});
