import type { DeclaredOutput } from '../model/outputs';
import { limits } from '../limits';
import { limitEntries } from '../shapes/limit-entries';
import { keySpec, objectKind, objectSchema } from '../shapes/object-kind';
import { readObject } from '../shapes/read-object';
import { readText, type Reader } from '../shapes/readers';
import { shape } from '../shapes/shape';
import { enumShape } from '../shapes/shapes';
import { uniqueNames, type Located } from '../shapes/unique-names';
import { getItems, getKind, report, type YamlValue } from '../yaml/yaml-value';
import { outputNamePattern, outputNameProblem } from './output-name';

const readName: Reader<string> = (value) => {
  const name = readText(value);
  const problem = name === undefined ? undefined : outputNameProblem(name);
  if (problem === undefined) return name;
  report(value, 'invalid_output_name', problem);
  return undefined;
};

const declaredKind = objectKind({
  title: 'output',
  keys: {
    name: keySpec(
      'Name of the output',
      shape(readName, { type: ['string', 'boolean'], pattern: outputNamePattern.source }),
      {
        required: true,
      },
    ),
    type: keySpec('string (default), or json, which is parsed', enumShape('string', 'json')),
  },
  unsupported: { path: 'an output file of a build DAG' },
});

const bound = { limit: limits.outputs, code: 'invalid_value', what: 'the outputs of a step' } as const;

const readDeclared: Reader<readonly DeclaredOutput[]> = (value) => {
  const kind = getKind(value);
  if (kind !== 'list' || getItems(value).length === 0) {
    const code = kind === 'list' ? 'invalid_value' : 'invalid_type';
    if (kind !== 'broken') report(value, code, 'outputs must be a non-empty sequence of maps with name and type');
    return undefined;
  }
  return uniqueNames(limitEntries(getItems(value), value, bound).flatMap(readOne), 'output', value);
};

export const declaredOutputs = shape(readDeclared, (book) => ({
  type: 'array',
  minItems: 1,
  maxItems: limits.outputs,
  items: book.refer('DeclaredOutput', () => objectSchema(declaredKind, book)),
}));

function readOne(item: YamlValue): readonly Located<DeclaredOutput>[] {
  const fields = readObject(item, declaredKind)?.fields;
  if (fields?.name?.value === undefined || (fields.type && fields.type.value === undefined)) return [];
  return [{ value: { name: fields.name.value, type: fields.type?.value ?? 'string' }, location: fields.name.source }];
}
