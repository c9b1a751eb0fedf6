import { parseDag } from '../../dag/document/parse-dag';
import { applyParamSchema } from './apply-param-schema';
import { declaredParams, resolveParams } from './resolve-params';

const read = (params: string) => parseDag(`params: ${params}\nsteps: [x]\n`);
const schema = `{"type": "object", "additionalProperties": false, "required": ["region"], "properties": {
  "region": {"type": "string", "enum": ["eu", "us"], "title": "Where"},
  "size": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3}}}`;

describe('params as a JSON Schema', () => {
  it('are converted to parameters with rules', () => {
    const { dag, findings } = read(schema);

    expect(findings).toEqual([]);
    expect(dag.params).toEqual([
      { name: 'region', type: 'string', required: true, enum: ['eu', 'us'], description: 'Where' },
      { name: 'size', type: 'integer', required: false, minimum: 1, maximum: 9, default: 3 },
    ]);
    expect(dag.paramSchema).toEqual({ kind: 'inline', schema: JSON.parse(schema) as unknown });
  });

  it('take their defaults from values', () => {
    const { dag } = read(`{schema: ${schema}, values: {region: us, size: 5}}`);

    expect(dag.params.map((param) => param.default)).toEqual(['us', 5]);
  });

  it.each([
    ['{schema: schemas/in.json, values: {a: 1}}', { kind: 'file', path: 'schemas/in.json' }],
    ['{schema: "https://example.com/in.json"}', { kind: 'url', url: 'https://example.com/in.json' }],
  ])('%s refer to an external schema', (params, paramSchema) => {
    expect(read(params).dag.paramSchema).toEqual(paramSchema);
  });

  it('are a map of defaults when schema is not the only key', () => {
    const { dag } = read('{schema: public, table: users}');

    expect([dag.params.map(({ name }) => name), dag.paramSchema]).toEqual([['schema', 'table'], undefined]);
  });

  it.each([
    ['{type: object, properties: {a: {type: array}}}', 'unsupported_value', 'parameter "a" of type array'],
    ['{type: object, properties: {a: {type: object, properties: {}}}}', 'unsupported_value', 'of type object'],
    ['{type: object, properties: {a: {const: 1}}}', 'unsupported_key', '"const"'],
    ['{type: object, properties: {a-b: {}}}', 'invalid_param', 'parameter "a-b"'],
    ['{type: object, properties: {a: {minlength: 1}}}', 'unknown_key', 'did you mean "minLength"?'],
    ['{type: object, properties: {a: {type: integer, default: x}}}', 'invalid_param', 'must be an integer'],
    [
      '{type: object, properties: {}, required: [b], additionalProperties: false}',
      'invalid_param',
      'not one of the properties',
    ],
    [`{schema: ${schema}, values: {regoin: eu}}`, 'invalid_param', 'parameter "regoin" is not defined in the schema'],
    [`{schema: ${schema}, values: {size: 10}}`, 'invalid_param', 'must be 9 or less'],
    ['{schema: "", values: {}}', 'invalid_value', 'must not be empty'],
    ['{schema: s.json, values: [a]}', 'invalid_type', 'must be a map'],
  ])('%s is refused', (params, code, phrase) => {
    expect(read(params).findings).toEqual([
      expect.objectContaining({ code, message: expect.stringContaining(phrase) as unknown }),
    ]);
  });

  it('refuse undeclared names unless the schema permits them', () => {
    const open = schema.replace('false', 'true');
    const silent = schema.replace(/,? *"?additionalProperties"?: *false/, '');
    const refusal = ['parameter "extra" is not declared by the DAG'];

    expect(silent).not.toContain('additional');
    expect(resolveParams(read(schema).dag, 'region=eu extra=1').problems).toEqual(refusal);
    expect(resolveParams(read(silent).dag, 'region=eu extra=1').problems).toEqual(refusal);
    expect(resolveParams(read(open).dag, 'region=eu extra=1').params).toContainEqual({
      name: 'extra',
      value: '1',
      undeclared: true,
    });
  });
});

describe('applyParamSchema', () => {
  const { dag } = read('{schema: in.json, values: {size: 4}}');

  it('combines the parameters of the schema with the values of the file', () => {
    const applied = applyParamSchema(dag, schema);

    expect(applied.problems).toEqual([]);
    expect(applied.dag.params.map((param) => [param.name, param.type, param.default])).toEqual([
      ['region', 'string', undefined],
      ['size', 'integer', 4],
    ]);
    expect(resolveParams(applied.dag, 'region=asia').problems).toEqual([
      expect.stringContaining('"region" must be one of: eu, us'),
    ]);
  });

  it.each([
    ['', 'it is empty'],
    ['{"type": "array"}', 'must be one of: object'],
    ['{"type": "object", "properties": {"size": {"maximum": 2, "type": "integer"}}}', 'parameter "size" must be 2'],
    ['{', 'YAML'],
  ])('%j has a problem', (text, phrase) => {
    expect(applyParamSchema(dag, text).problems.join(' ')).toContain(phrase);
  });

  it('recognises undeclared names among the stored parameters of a run', () => {
    const { params } = resolveParams(
      applyParamSchema(dag, schema.replace('false', 'true')).dag,
      'region=eu PATH=/evil',
    );

    expect(declaredParams(dag, params).map(({ name }) => name)).toEqual(['region', 'size']);
  });
});
