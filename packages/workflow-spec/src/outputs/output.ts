import type { OutputSource, StepOutput } from '../canonical/outputs';
import { limits } from '../limits';
import { atMost } from '../read/at-most';
import { keySpec, objectKind } from '../read/object-kind';
import { objectShape } from '../read/read-object';
import { readFilledText, readText, wrongKind, type Reader } from '../read/readers';
import { shape, type Shape } from '../read/shape';
import { boolean, either, text } from '../read/shapes';
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

const oldObject = objectShape(
  objectKind({
    title: 'output',
    keys: {
      name: keySpec('Variable for the whole standard output', variable, { required: true }),
      key: keySpec('Name among the collected outputs; without effect', text),
      omit: keySpec('Whether it was left out of the collected outputs; without effect', boolean),
    },
  }),
  ({ name }, value) => {
    const message = 'a map of name, key and omit is an old form; write the name of the variable alone';
    report(value, 'deprecated_value', message);
    return name?.value;
  },
);

/** The name of a variable for the whole standard output, or a map from name to value or source. */
export const output = either<StepOutput, StepOutput>(isText, variable, either(isOldObject, oldObject, fields));

const stdoutNamed = asFields(namedOutputs(stdoutSource));

const stdoutFields = objectShape(
  objectKind({ title: 'outputs of stdout', keys: { fields: keySpec('The outputs by name', stdoutNamed) } }),
  ({ fields: named }) => named?.value,
);

/** The name of the one output that the text of the stream is. */
const stdoutName = shape<StepOutput>(
  (value) => {
    const name = readFilledText(value);
    if (name === undefined) return undefined;
    const problem = outputNameProblem(name);
    if (problem === undefined)
      return { kind: 'fields', fields: [{ name, source: { kind: 'stdout', decode: 'text' } }] };
    report(value, 'invalid_output_name', problem);
    return undefined;
  },
  { type: 'string', pattern: outputNamePattern.source },
);

/** What `stdout.outputs` holds: outputs taken from the standard output, by name, also under `fields`; or one name. */
export const stdoutOutputs = either(isText, stdoutName, either(hasFields, stdoutFields, stdoutNamed));

function asFields(named: Shape<readonly NamedOutput[]>): Shape<StepOutput> {
  return shape(
    (value) => {
      const found = named.read(value);
      return found && { kind: 'fields', fields: found };
    },
    (book) => named.schema(book),
  );
}

/** Whether `fields` holds outputs by name, and is no output of that name itself. */
function hasFields(value: YamlValue): boolean {
  const [first, ...others] = entriesOf(value);
  if (first?.key !== 'fields' || others.length > 0) return false;
  return entriesOf(first.value).some((entry) => kindOf(entry.value) === 'map' || kindOf(entry.value) === 'null');
}

function isText(value: YamlValue): boolean {
  return kindOf(value) !== 'map' && kindOf(value) !== 'list';
}

/** Only the keys of the old form, and more than a single output that is called name. */
function isOldObject(value: YamlValue): boolean {
  const keys = entriesOf(value).map(({ key }) => key);
  return keys.length > 1 && keys.includes('name') && keys.every((key) => ['name', 'key', 'omit'].includes(key));
}
