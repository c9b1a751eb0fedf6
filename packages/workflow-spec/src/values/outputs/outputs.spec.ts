import type { Step } from '../../model/step';
import { parseDag } from '../../dag/document/parse-dag';

const indent = (text: string) => text.replace(/^/gm, '    ').trimStart();
const read = (keys: string) => parseDag(`steps:\n  - id: s\n    run: x\n    ${indent(keys)}\n`);

describe('outputs of a step', () => {
  it.each<readonly [string, Partial<Step>]>([
    ['stdout: out.log', { stdout: { kind: 'file', path: 'out.log' } }],
    ['stderr: {artifact: a/err.log}', { stderr: { kind: 'artifact', path: 'a/err.log' } }],
    ['output: VERSION', { output: { kind: 'variable', name: 'VERSION' } }],
    ['output: {a: 1}', { output: { kind: 'fields', fields: [{ name: 'a', source: { kind: 'literal', value: 1 } }] } }],
    [
      'output: {a: {from: stdout}}',
      { output: { kind: 'fields', fields: [{ name: 'a', source: { kind: 'stdout', decode: 'text' } }] } },
    ],
    [
      'output: {a: {format: x}}',
      { output: { kind: 'fields', fields: [{ name: 'a', source: { kind: 'literal', value: { format: 'x' } } }] } },
    ],
    [
      'stdout: {outputs: ticket}',
      { output: { kind: 'fields', fields: [{ name: 'ticket', source: { kind: 'stdout', decode: 'text' } }] } },
    ],
    [
      'stdout: {outputs: {fields: {a: {decode: json, select: .b}}}}',
      { output: { kind: 'fields', fields: [{ name: 'a', source: { kind: 'stdout', decode: 'json', select: '.b' } }] } },
    ],
    [
      'stdout: {outputs: {fields: {decode: json}}}',
      { output: { kind: 'fields', fields: [{ name: 'fields', source: { kind: 'stdout', decode: 'json' } }] } },
    ],
    ['outputs: [{name: a}]', { outputs: [{ name: 'a', type: 'string' }] }],
    ['dependencies: lib/**', { dependencies: ['lib/**'] }],
    ['log_output: merged', { logOutput: 'merged' }],
    ['output_schema: {$ref: "#/definitions/a", definitions: {a: {}}}', { outputSchema: expect.anything() as never }],
  ])('%s is read', (keys, step) => {
    const { dag, findings } = read(keys);
    expect(findings).toEqual([]);
    expect(dag.steps[0]).toMatchObject(step);
  });

  it.each(['$OUT', '${OUT}'])('accepts the deprecated form %s of a variable with a warning and a fix', (deprecated) => {
    const { dag, findings } = read(`output: ${deprecated}`);
    expect(findings).toEqual([expect.objectContaining({ code: 'deprecated_value', severity: 'warning' })]);
    expect(findings[0]?.fix).toMatchObject({ text: 'OUT' });
    expect(dag.steps[0]?.output).toEqual({ kind: 'variable', name: 'OUT' });
  });

  it.each([
    ['output: "${}"', 'invalid_env_name', '/output'],
    ['output: "$A$B"', 'invalid_env_name', '/output'],
    ['output: 1', 'invalid_env_name', '/output'],
    ['output: [A]', 'invalid_type', '/output'],
    ['output: {}', 'invalid_value', '/output'],
    ['output: {a-b: 1}', 'invalid_output_name', '/output/a-b'],
    ['output: {"": 1}', 'invalid_output_name', '/output/'],
    ['output: {a: {path: x}}', 'missing_key', '/output/a'],
    ['output: {a: {from: stdin}}', 'invalid_value', '/output/a/from'],
    ['output: {a: {from: file}}', 'missing_key', '/output/a'],
    ['output: {a: {from: stdout, path: x}}', 'conflicting_keys', '/output/a/path'],
    ['output: {a: {from: stdout, select: .x}}', 'conflicting_keys', '/output/a/select'],
    ['output: {a: {from: stdout, decode: text, select: .x}}', 'conflicting_keys', '/output/a/select'],
    ['output: {a: {from: stdout, decode: xml}}', 'invalid_value', '/output/a/decode'],
    ['output: {a: {from: stdout, format: x}}', 'unknown_key', '/output/a/format'],
    ['stdout: {outputs: a-b}', 'invalid_output_name', '/stdout/outputs'],
    ['stdout: {}', 'missing_key', '/stdout'],
    ['stdout: ""', 'invalid_value', '/stdout'],
    ['stdout: [x]', 'invalid_type', '/stdout'],
    ['stdout: {artifact: ../x}', 'invalid_value', '/stdout/artifact'],
    ['stdout: {artifact: a/../../x}', 'invalid_value', '/stdout/artifact'],
    ['stdout: {artifact: /etc/passwd}', 'invalid_value', '/stdout/artifact'],
    ['stdout: {artifact: "C:\\\\x"}', 'invalid_value', '/stdout/artifact'],
    ['stdout: {outputs: {a: .x}}', 'invalid_type', '/stdout/outputs/a'],
    ['stdout: {outputs: {a: {from: stderr}}}', 'unknown_key', '/stdout/outputs/a/from'],
    ['stderr: {artifact: x, outputs: {a: {}}}', 'unknown_key', '/stderr/outputs'],
    ['outputs: []', 'invalid_value', '/outputs'],
    ['outputs: {a: string}', 'invalid_type', '/outputs'],
    ['outputs: [a]', 'invalid_type', '/outputs/0'],
    ['outputs: [{name: a}, {name: a}]', 'duplicate_name', '/outputs/1/name'],
    ['outputs: [{name: a, path: x}]', 'invalid_value', '/outputs'],
    ['outputs: [{name: a, path: x, type: json}]', 'conflicting_keys', '/outputs/0/path'],
    ['outputs: [{name: a, type: number}]', 'invalid_value', '/outputs/0/type'],
    ['outputs: [{type: json}]', 'missing_key', '/outputs/0'],
    ['output: {a: 1}\noutputs: [{name: a}]', 'duplicate_name', '/outputs'],
    ['output: A\nstdout: {outputs: {a: }}', 'conflicting_keys', '/output'],
    ['inputs: [{name: a, path: x}]', 'invalid_value', '/inputs'],
    ['inputs: []', 'invalid_value', '/inputs'],
    ['inputs: {a: b}', 'invalid_type', '/inputs'],
    ['inputs: [{name: a}]', 'missing_key', '/inputs/0'],
    ['dependencies: [""]', 'invalid_value', '/dependencies/0'],
    ['dependencies: /etc/passwd', 'invalid_value', '/dependencies'],
    ['dependencies: a/../../b', 'invalid_value', '/dependencies'],
    ['dependencies: .git/config', 'invalid_value', '/dependencies'],
    ['dependencies: "a${"', 'invalid_value', '/dependencies'],
    ['dependencies: "a[bc]"', 'invalid_value', '/dependencies'],
    ['output_schema: true', 'invalid_type', '/output_schema'],
    ['output_schema: {type: objekt}', 'invalid_json_schema', '/output_schema/type'],
    ['output_schema: {properties: {a: {minimum: low}}}', 'invalid_json_schema', '/output_schema/properties/a/minimum'],
    ['output_schema: {pattern: "(?<=a)b"}', 'invalid_json_schema', '/output_schema/pattern'],
    ['output_schema: {patternProperties: {"[": {}}}', 'invalid_json_schema', '/output_schema/patternProperties/['],
    ['output_schema: {$ref: "https://example.org/s.json"}', 'invalid_json_schema', '/output_schema/$ref'],
    ['output_schema: {items: [{$ref: "#/definitions/a"}]}', 'invalid_json_schema', '/output_schema/items/0/$ref'],
    [
      'output_schema: {$schema: "https://json-schema.org/draft/2020-12/schema"}',
      'invalid_json_schema',
      '/output_schema/$schema',
    ],
  ])('%s is refused', (keys, code, path) => {
    expect(read(keys).findings).toEqual([
      expect.objectContaining({ code, severity: 'error', path: `/steps/0${path}` }),
    ]);
  });

  it('refuses a schema that is longer than the limit', () => {
    const { findings } = read(`output_schema: {title: ${'x'.repeat(65_536)}}`);
    expect(findings).toEqual([
      expect.objectContaining({ code: 'invalid_json_schema', path: '/steps/0/output_schema' }),
    ]);
  });

  it('requires an id for declared outputs', () => {
    const { findings } = parseDag('steps:\n  - run: x\n    outputs: [{name: a}]\n');
    expect(findings).toEqual([expect.objectContaining({ code: 'missing_key', path: '/steps/0/outputs' })]);
    expect(findings[0]?.message).toContain('a step with outputs must define id');
  });

  it('does not report a missing id when the id is unreadable', () => {
    const { findings } = parseDag('steps:\n  - id: 1a\n    run: x\n    outputs: [{name: a}]\n');
    expect(findings.map(({ code }) => code)).toEqual(['invalid_step_id']);
  });
});
