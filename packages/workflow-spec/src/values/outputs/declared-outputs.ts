import type { BuildFile } from '../../model/build-file';
import type { DeclaredOutput } from '../../model/outputs';
import { buildFileName, buildFilePath } from './build-file-shapes';
import { limits } from '../../model/limits';
import { limitEntries } from '../../shapes/limit-entries';
import { keySpec, objectKind, objectSchema } from '../../shapes/object-kind';
import { readObject } from '../../shapes/read-object';
import type { Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { enumShape } from '../../shapes/shapes';
import { uniqueNames, type Located } from '../../shapes/unique-names';
import { getItems, getKind, report, type YamlValue } from '../../source/yaml/yaml-value';

const declaredKind = objectKind({
  title: 'output',
  keys: {
    name: keySpec('Name of the output', buildFileName, { required: true }),
    type: keySpec('string (default), or json, which is parsed', enumShape('string', 'json')),
    path: keySpec('The file that the step makes; only in a DAG of type build', buildFilePath),
  },
});

/** An output that the step declares: a value, or a file of a build. */
export type AuthoredOutput = DeclaredOutput | BuildFile;

export function isBuildFile(output: AuthoredOutput): output is BuildFile {
  return 'path' in output;
}

const bound = { limit: limits.outputs, code: 'invalid_value', what: 'the outputs of a step' } as const;

const readDeclared: Reader<readonly AuthoredOutput[]> = (value) => {
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

function readOne(item: YamlValue): readonly Located<AuthoredOutput>[] {
  const { name, type, path } = readObject(item, declaredKind)?.fields ?? {};
  if (name?.value === undefined || (type && type.value === undefined) || (path && path.value === undefined)) return [];
  if (type && path) {
    item.context.report.add('conflicting_keys', path.keyLocation, 'path cannot be used together with type');
    return [];
  }
  const value = path?.value === undefined ? { type: type?.value ?? 'string' } : { path: path.value };
  return [{ value: { name: name.value, ...value }, location: name.source }];
}
