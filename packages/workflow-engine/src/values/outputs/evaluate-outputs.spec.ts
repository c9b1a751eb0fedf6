import type { OutputSource } from '@weir/workflow-spec';
import { evaluateOutputs, type OutputRequest, type SelectJson } from './evaluate-outputs';

const select: SelectJson = (expression, value) => {
  if (expression === 'fail') throw new Error('secret');
  return expression === '.[]' ? (value as unknown[]) : [{ expression, value }];
};
const evaluate = (source: OutputSource, texts: Partial<OutputRequest> = {}) =>
  evaluateOutputs({ fields: [{ name: 'x', source }], files: [], maxBytes: 1_000, ...texts }, select);

describe('evaluateOutputs', () => {
  it.each<readonly [string, OutputSource, unknown]>([
    ['a literal', { kind: 'literal', value: { a: [1] } }, { a: [1] }],
    ['trimmed text', { kind: 'stdout', decode: 'text' }, '{"n": 1}'],
    ['JSON', { kind: 'stdout', decode: 'json' }, { n: 1 }],
    ['YAML', { kind: 'stderr', decode: 'yaml' }, { n: ['ü'] }],
    ['a file', { kind: 'file', path: 'f', decode: 'json' }, [1, 2]],
    ['a selection', { kind: 'stdout', decode: 'json', select: '.n' }, { expression: '.n', value: { n: 1 } }],
  ])('reads %s', (_, source, value) => {
    const texts = { stdout: ' {"n": 1}\n', stderr: 'n: [ü]', files: [['f', '[1, 2]']] as const };
    expect(evaluate(source, texts)).toEqual({ fields: [{ name: 'x', value }] });
  });

  it.each<readonly [OutputSource, string, string]>([
    [{ kind: 'stdout', decode: 'json' }, 'secret', 'the output "x" is not JSON'],
    [{ kind: 'stdout', decode: 'json' }, '', 'the output "x" is not JSON'],
    [{ kind: 'stdout', decode: 'yaml' }, 'a: [', 'the output "x" is not valid YAML, line 1'],
    [{ kind: 'stdout', decode: 'text' }, 'a\0b', 'the output "x" contains a NUL character'],
    [
      { kind: 'stdout', decode: 'json', select: '.[]' },
      '[1, 2]',
      'the output "x" has a select that gives more than one value',
    ],
    [{ kind: 'stdout', decode: 'json', select: '.[]' }, '[]', 'the output "x" has a select that gives no value'],
    [
      { kind: 'stdout', decode: 'json', select: 'fail' },
      '[]',
      'the output "x" has a select that is no jq expression or cannot be applied to what was read',
    ],
    [{ kind: 'literal', value: 'x'.repeat(1_000) }, '', 'the outputs are larger than 1000 bytes'],
  ])('refuses %j of %j', (source, stdout, problem) => {
    expect(evaluate(source, { stdout })).toEqual({ problem });
  });

  it('publishes nothing when the standard output does not fit the schema', () => {
    const source = { kind: 'literal', value: 1 } as const;
    const schema = { type: 'object', required: ['a'] };
    expect(evaluate(source, { schema, stdout: '{"a": 1}' })).toEqual({ fields: [{ name: 'x', value: 1 }] });
    expect(evaluate(source, { schema, stdout: '{"b": "secret"}' })).toEqual({
      problem: "the standard output does not fit output_schema: must have required property 'a'",
    });
    expect(evaluate(source, { schema, stdout: 'secret' })).toEqual({
      problem: 'the standard output is not JSON, which output_schema needs',
    });
  });
});
