import type { OutputSource, StepOutput } from '../../model/outputs';
import { limits } from '../../model/limits';
import { limitEntries } from '../../shapes/limit-entries';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readNonEmptyText, readText, reportWrongKind, type Reader } from '../../shapes/readers';
import { shape, type Shape } from '../../shapes/shape';
import { boolean, either, text } from '../../shapes/shapes';
import { envNamePattern, invalidEnvName } from '../environment/env-name';
import { getEntries, getKind, report, type YamlValue } from '../../source/yaml/yaml-value';
import { outputNamePattern, outputNameProblem } from './output-name';
import { outputSource, stdoutSource } from './output-source';

type NamedOutput = Extract<StepOutput, { readonly kind: 'fields' }>['fields'][number];

const bound = { limit: limits.outputs, code: 'invalid_value', what: 'the outputs of a step' } as const;

function namedOutputs(each: Shape<OutputSource>): Shape<readonly NamedOutput[]> {
  const read: Reader<readonly NamedOutput[]> = (value) => {
    if (getKind(value) !== 'map') return reportWrongKind(value, 'a map from name to output');
    if (getEntries(value).length === 0) report(value, 'invalid_value', 'the map must name at least one output');
    return limitEntries(getEntries(value), value, bound).flatMap((entry) => {
      const problem = outputNameProblem(entry.key);
      if (problem !== undefined) entry.value.context.report.add('invalid_output_name', entry.location, problem);
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

const deprecatedForm = /^\$(?:\{([^{}]*)\}|([^{}]*))$/;

const readVariable: Reader<StepOutput> = (value) => {
  const found = readText(value);
  if (found === undefined) return undefined;
  const deprecated = deprecatedForm.exec(found);
  const name = deprecated ? (deprecated[1] ?? deprecated[2] ?? '') : found;
  if (!envNamePattern.test(name)) {
    report(value, 'invalid_env_name', invalidEnvName(found));
    return undefined;
  }
  if (deprecated) {
    const fix = { title: `Write ${name}`, text: name };
    report(value, 'deprecated_value', `"${found}" is a deprecated form; write ${name}`, fix);
  }
  return { kind: 'variable', name };
};

const variable = shape(readVariable, {
  type: ['string', 'boolean'],
  pattern: '^(?:[A-Za-z_][A-Za-z0-9_]*|\\$[A-Za-z_][A-Za-z0-9_]*|\\$\\{[A-Za-z_][A-Za-z0-9_]*\\})$',
});

const fields = toFieldsOutput(namedOutputs(outputSource));

const deprecatedObject = objectShape(
  objectKind({
    title: 'output',
    keys: {
      name: keySpec('Variable for the whole standard output', variable, { required: true }),
      key: keySpec('Name among the collected outputs; has no effect', text),
      omit: keySpec('Whether it was omitted from the collected outputs; has no effect', boolean),
    },
  }),
  ({ name }, value) => {
    const message = 'a map of name, key and omit is a deprecated form; write only the name of the variable';
    report(value, 'deprecated_value', message);
    return name?.value;
  },
);

export const output = either<StepOutput, StepOutput>(
  isText,
  variable,
  either(isDeprecatedObject, deprecatedObject, fields),
);

const stdoutNamed = toFieldsOutput(namedOutputs(stdoutSource));

const stdoutFields = objectShape(
  objectKind({ title: 'outputs of stdout', keys: { fields: keySpec('The outputs by name', stdoutNamed) } }),
  ({ fields: named }) => named?.value,
);

/** The whole output as a single named output. */
const stdoutName = shape<StepOutput>(
  (value) => {
    const name = readNonEmptyText(value);
    if (name === undefined) return undefined;
    const problem = outputNameProblem(name);
    if (problem === undefined)
      return { kind: 'fields', fields: [{ name, source: { kind: 'stdout', decode: 'text' } }] };
    report(value, 'invalid_output_name', problem);
    return undefined;
  },
  { type: 'string', pattern: outputNamePattern.source },
);

/** The forms of `stdout.outputs`: a map from name to source, the same under `fields`, or one name. */
export const stdoutOutputs = either(isText, stdoutName, either(hasFields, stdoutFields, stdoutNamed));

function toFieldsOutput(named: Shape<readonly NamedOutput[]>): Shape<StepOutput> {
  return shape(
    (value) => {
      const found = named.read(value);
      return found && { kind: 'fields', fields: found };
    },
    (book) => named.schema(book),
  );
}

/** Whether `fields` contains the outputs, rather than being an output named `fields`. */
function hasFields(value: YamlValue): boolean {
  const [first, ...others] = getEntries(value);
  if (first?.key !== 'fields' || others.length > 0) return false;
  return getEntries(first.value).some((entry) => getKind(entry.value) === 'map' || getKind(entry.value) === 'null');
}

function isText(value: YamlValue): boolean {
  return getKind(value) !== 'map' && getKind(value) !== 'list';
}

/** Whether the map has only keys of the deprecated form, and is not a single output that is called `name`. */
function isDeprecatedObject(value: YamlValue): boolean {
  const keys = getEntries(value).map(({ key }) => key);
  return keys.length > 1 && keys.includes('name') && keys.every((key) => ['name', 'key', 'omit'].includes(key));
}
