import type { BuildFile } from '../../model/build-file';
import { limits } from '../../model/limits';
import { buildFileName, buildFilePath } from './build-file-shapes';
import { limitEntries } from '../../shapes/limit-entries';
import { keySpec, objectKind, objectSchema } from '../../shapes/object-kind';
import { readObject } from '../../shapes/read-object';
import type { Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { uniqueNames, type Located } from '../../shapes/unique-names';
import { getItems, getKind, report, type YamlValue } from '../../source/yaml/yaml-value';

const inputKind = objectKind({
  title: 'input',
  keys: {
    name: keySpec('Name of the input', buildFileName, { required: true }),
    path: keySpec('The file', buildFilePath, { required: true }),
  },
});

const bound = { limit: limits.inputFiles, code: 'invalid_value', what: 'the inputs of a step' } as const;

const readInputs: Reader<readonly BuildFile[]> = (value) => {
  const kind = getKind(value);
  if (kind !== 'list' || getItems(value).length === 0) {
    const code = kind === 'list' ? 'invalid_value' : 'invalid_type';
    if (kind !== 'broken') report(value, code, 'inputs must be a non-empty sequence of maps with name and path');
    return undefined;
  }
  return uniqueNames(limitEntries(getItems(value), value, bound).flatMap(readOne), 'input', value);
};

/** The files that a step of a build reads. */
export const inputFiles = shape(readInputs, (book) => ({
  type: 'array',
  minItems: 1,
  maxItems: limits.inputFiles,
  items: book.refer('BuildInput', () => objectSchema(inputKind, book)),
}));

function readOne(item: YamlValue): readonly Located<BuildFile>[] {
  const { name, path } = readObject(item, inputKind)?.fields ?? {};
  if (name?.value === undefined || path?.value === undefined) return [];
  return [{ value: { name: name.value, path: path.value }, location: name.source }];
}
