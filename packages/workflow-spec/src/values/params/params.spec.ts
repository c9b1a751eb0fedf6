import fc from 'fast-check';
import { parseDag } from '../../dag/document/parse-dag';
import { resolveParams } from './resolve-params';

const read = (text: string) => parseDag(`${text}\nsteps: [x]\n`);
const declared = (text: string) => read(text).dag;
const values = (text: string, given?: string) => resolveParams(declared(text), given);
const text = (name: string, value: string) => ({ name, type: 'string', default: value, required: false });

describe('params', () => {
  it.each([
    [`params: 'a=1 "two words" b="x y"'`, 'a=1 "two words" b="x y"'],
    ['params: [a=two words, plain, {b: 3}]', 'a="two words" plain b=3'],
    ['params: {a: 1.10, b: , c: true}', 'a=1.10 b="" c=true'],
    ['params: [{name: a, default: x}, {name: b, required: true}]', 'a=x'],
    ['params: 7', '7'],
    ['params:', undefined],
    ['params: ""', undefined],
  ])('%s are %s in one line', (line, defaults) => {
    const { dag, findings } = read(line);
    expect([dag.defaultParams, findings]).toEqual([defaults, []]);
  });

  it('reads one-key maps, positions and names in order', () => {
    expect(declared('params: [{a: 1}, b=2, c]').params).toEqual([
      text('a', '1'),
      text('b', '2'),
      { type: 'string', default: 'c', required: false },
    ]);
  });

  it('reads an entry with every rule', () => {
    const { dag, findings } = read(`params:
  - {name: size, type: integer, default: 3, minimum: 1, maximum: 9, description: How many, required: true}
  - {name: mode, enum: [fast, slow], default: slow}
  - {name: code, pattern: "^[a-z]+$", minLength: 2, max_length: 4}
  - {name: ratio, type: number, default: "0.5"}
  - {name: dry, type: boolean, default: true}`);

    expect(findings.map((finding) => finding.code)).toEqual(['deprecated_key']);
    expect(dag.params).toEqual([
      { name: 'size', type: 'integer', default: 3, minimum: 1, maximum: 9, description: 'How many', required: true },
      { name: 'mode', type: 'string', enum: ['fast', 'slow'], default: 'slow', required: false },
      { name: 'code', type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 4, required: false },
      { name: 'ratio', type: 'number', default: 0.5, required: false },
      { name: 'dry', type: 'boolean', default: true, required: false },
    ]);
  });

  it.each([
    ['params: [{name: a, type: text}]', 'invalid_value', 'must be one of: string, integer, number, boolean'],
    ['params: [{name: a, type: integer, default: 1.5}]', 'invalid_param', 'parameter "a" must be an integer'],
    ['params: [{name: a, type: integer, minimum: 5, default: 1}]', 'invalid_param', 'parameter "a" must be 5 or more'],
    ['params: [{name: a, enum: [x], default: y}]', 'invalid_param', 'parameter "a" must be one of: x'],
    ['params: [{name: a, pattern: "(", default: y}]', 'invalid_param', 'not a valid RE2 regular expression'],
    ['params: [{name: a, minimum: 1}]', 'invalid_param', 'cannot have minimum or maximum'],
    ['params: [{name: a, type: boolean, pattern: x}]', 'invalid_param', 'cannot have a length or a pattern'],
    ['params: [{name: a, type: number, minimum: 2, maximum: 1}]', 'invalid_param', 'a maximum below its minimum'],
    ['params: [{name: a, enum: []}]', 'invalid_value', 'at least one value'],
    ['params: [{name: a, enum: x}]', 'invalid_type', 'at least one value'],

    ['params: [{name: 1a}]', 'invalid_param', 'parameter "1a" must have a name'],
    ['params: [{default: 1, type: integer}]', 'missing_key', 'must have a name'],
    ['params: [{a: 1, b: 2}]', 'invalid_param', 'a map with one key'],
    ['params: {a-b: 1}', 'invalid_param', 'parameter "a-b" must have a name'],
    ['params: [a=1, a=2]', 'duplicate_param', 'parameter "a" is declared twice'],
    [`params: 'a="x'`, 'invalid_param', 'quote that is not closed'],
    ['params: [[a]]', 'invalid_type', 'params[0] must be a string'],
  ])('%s is refused', (line, code, phrase) => {
    expect(read(line).findings).toEqual([
      expect.objectContaining({ code, message: expect.stringContaining(phrase) as unknown }),
    ]);
  });
});

describe('resolveParams', () => {
  it.each([
    ['params: a=1 b=2', undefined, { a: '1', b: '2' }],
    ['params: a=1 b=2', 'b="two words"', { a: '1', b: 'two words' }],
    [
      'params: a=1 b=2 c= d= e=',
      '{"b": 3, "c": true, "d": {"x": [1]}, "e": null}',
      { a: '1', b: '3', c: 'true', d: '{"x":[1]}', e: '' },
    ],
    ['params: one two', 'x', { 1: 'x', 2: 'two' }],
    ['params: one two', '["x", "y"]', { 1: 'x', 2: 'y' }],
    ['params: one a=2', '[{"a": "$(rm -rf)"}, 7]', { 1: '7', a: '$(rm -rf)' }],
    ['params: one', '{"1": "x"}', { 1: 'x' }],
    ['params: one', 'http://x?a=b', { 1: 'http://x?a=b' }],
    ['params: [{name: a}]', '', {}],
    ['params: [{name: a, type: integer, default: 007}]', '', { a: '7' }],
    [
      'params: [{name: a, required: true}, {name: b, default: 2}]',
      '"Night shift report"',
      { a: 'Night shift report', b: '2' },
    ],
    ['params: {a: 1, b: 2, c: 3}', 'c=5 x y', { a: 'x', b: 'y', c: '5' }],
    ['params:', 'extra=1', { extra: '1' }],
  ])('%s with %j gives %j', (line, given, expected) => {
    const { params, problems } = values(line, given);
    expect(problems).toEqual([]);
    expect(Object.fromEntries(params.map(({ name, value }) => [name, value]))).toEqual(expected);
  });

  it('are taken by position where the DAG declares none', () => {
    expect(values('description: none', 'x region=eu "y z"')).toMatchObject({
      params: [
        { name: '1', value: 'x' },
        { name: 'region', value: 'eu' },
        { name: '2', value: 'y z' },
      ],
      problems: [],
    });
    expect(values('params: {schema: in.json}', 'x').problems).toHaveLength(1);
  });

  it('keeps the declared order', () => {
    expect(values('params: b=1 a=2', 'a=4 b=3').params.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  it.each([
    ['params: [{name: a, required: true}]', '', 'parameter "a" is required'],
    ['params: {region: eu}', 'regoin=us', 'parameter "regoin" is not declared by the DAG (did you mean "region"?)'],
    ['params: {region: eu}', 'PATH=/evil', 'parameter "PATH" is not declared by the DAG'],
    ['params: [{name: a, type: integer}]', 'a=x', 'parameter "a" must be an integer'],
    ['params: [{name: a, type: number}]', 'a=1e999', 'parameter "a" must be a number'],
    ['params: [{name: a, type: boolean}]', 'a=yes', 'parameter "a" must be true or false'],
    ['params: [{name: a, type: integer, maximum: 3}]', 'a=4', 'parameter "a" must be 3 or less'],
    ['params: [{name: a, enum: [x, y]}]', 'a=z', 'parameter "a" must be one of: x, y'],
    ['params: [{name: a, min_length: 2}]', 'a=😀', 'parameter "a" must have 2 characters or more'],
    ['params: [{name: a, max_length: 1}]', 'a=xy', 'parameter "a" must have 1 characters or less'],
    ['params: [{name: a, pattern: "^x"}]', 'a=yx', 'parameter "a" must match "^x"'],
    ['params: one', 'x y', 'too many positional parameters: 2 given, 1 declared'],
    ['params: a=1', 'x y', 'too many positional parameters: 2 given, 1 declared'],
    ['params: a=1 b=2', 'x a=3', 'parameter "a" is given by position and by name'],
    ['params: a=1', '{"a-b": 1}', 'parameter "a-b" must be named'],
    ['params: a=1', '{"2": 1}', 'parameter "2" must be named'],
    ['params: a=1', '{"a": "\\u0000"}', 'parameter "a" contains a NUL'],
    ['params: a=1', '{"a": ', 'params is not valid JSON'],
    ['params: a=1', 'a="x', 'quote that is not closed'],
  ])('%s with %j has one problem', (line, given, phrase) => {
    expect(values(line, given).problems).toEqual([expect.stringContaining(phrase)]);
  });

  it('reports every problem at once', () => {
    const { problems } = values('params: [{name: a, required: true}, {name: b, type: integer}]', 'b=x c=1');
    expect(problems).toHaveLength(3);
  });

  it('never throws, for any input', () => {
    const dag = declared('params: [one, {name: a, type: integer}]');
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (given) => {
        expect(Array.isArray(resolveParams(dag, given).problems)).toBe(true);
      }),
    );
    expect(resolveParams(dag, '['.repeat(200_000)).problems).toEqual(['params is not valid JSON']);
  });
});
