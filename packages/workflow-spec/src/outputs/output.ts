import type { OutputSource, StepOutput } from '../canonical/outputs';
import { limits } from '../limits';
import { atMost } from '../read/at-most';
import { readText, wrongKind, type Reader } from '../read/readers';
import { shape, type Shape } from '../read/shape';
import { either } from '../read/shapes';
import { envNamePattern, invalidEnvName } from '../values/env-name';
import { entriesOf, kindOf, report, type YamlValue } from '../yaml/yaml-value';
import { outputNamePattern, outputNameProblem } from './output-name';
import { outputSource, stdoutSource } from './output-source';

type NamedOutput = Extract<StepOutput, { readonly kind: 'fields' }>['fields'][number];

const bound = { limit: limits.outputs, code: 'invalid_value', what: 'the outputs of a step' } as const;

function namedOutputs(each: Shape<OutputSource>): Shape<readonly NamedOutput[]> {
  const read: Reader<readonly NamedOutput[]> = (value) => {
    if (kindOf(value) !== 'map') return wrongKind(value, 'a map from name to output');
    if (entriesOf(value).length === 0) report(value, 'invalid_value', 'the map must name at least one output');
    return atMost(entriesOf(value), value, bound).flatMap((entry) => {
      const problem = outputNameProblem(entry.key);
      if (problem !== undefined) entry.value.context.report.add('invalid_output_name', entry.spot, problem);
      const source = each.read(entry.value);
      return problem !== undefined || source === undefined ? [] : [{ name: entry.key, source }];
    });
  };
  return shape(read, (book) => ({
    type: 'object',
    minProperties: 1,
    maxProperties: limits.outputs,
    propertyNames: { pattern: outputNamePattern.source },
    additionalProperties: each.schema(book),
  }));
}

const oldForm = /^\$(?:\{([^{}]*)\}|([^{}]*))$/;

const readVariable: Reader<StepOutput> = (value) => {
  const found = readText(value);
  if (found === undefined) return undefined;
  const old = oldForm.exec(found);
  const name = old ? (old[1] ?? old[2] ?? '') : found;
  if (!envNamePattern.test(name)) {
    report(value, 'invalid_env_name', invalidEnvName(found));
    return undefined;
  }
  if (old) {
    const fix = { title: `Write ${name}`, text: name };
    report(value, 'deprecated_value', `"${found}" is an old form; write ${name}`, fix);
  }
  return { kind: 'variable', name };
};

const variable = shape(readVariable, {
  type: ['string', 'boolean'],
  pattern: '^(?:[A-Za-z_][A-Za-z0-9_]*|\\$[A-Za-z_][A-Za-z0-9_]*|\\$\\{[A-Za-z_][A-Za-z0-9_]*\\})$',
});

const fields = asFields(namedOutputs(outputSource));

/** The name of a variable for the whole standard output, or a map from name to value or source. */
export const output = either<StepOutput, StepOutput>(isText, variable, fields);

/** What `stdout.outputs` holds: outputs taken from the standard output. */
export const stdoutOutputs = asFields(namedOutputs(stdoutSource));

function asFields(named: Shape<readonly NamedOutput[]>): Shape<StepOutput> {
  return shape(
    (value) => {
      const found = named.read(value);
      return found && { kind: 'fields', fields: found };
    },
    (book) => named.schema(book),
  );
}

function isText(value: YamlValue): boolean {
  return kindOf(value) !== 'map' && kindOf(value) !== 'list';
}
