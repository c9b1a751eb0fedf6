import type { OutputSource } from '../../model/outputs';
import { compact } from '../../model/compact';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape, type Field } from '../../shapes/read-object';
import { reportWrongKind } from '../../shapes/readers';
import { namedShape, shape } from '../../shapes/shape';
import { anyJson, either, nonEmptyText, enumShape } from '../../shapes/shapes';
import { getEntries, getKind, report, type YamlValue } from '../../source/yaml/yaml-value';

const decodings = ['text', 'json', 'yaml'] as const;

const decodingKeys = {
  decode: keySpec('text (default), json or yaml', enumShape(...decodings)),
  select: keySpec('jq expression applied to the decoded value', nonEmptyText),
} as const;

interface Decoding {
  readonly decode?: Field<(typeof decodings)[number]>;
  readonly select?: Field<string>;
}

const sourceKind = objectKind({
  title: 'output',
  keys: {
    from: keySpec('stdout, stderr or file', enumShape('stdout', 'stderr', 'file'), { required: true }),
    path: keySpec('The file to read; only with from: file', nonEmptyText),
    ...decodingKeys,
  },
});

const source = objectShape(sourceKind, ({ from, path, ...decoding }, value): OutputSource | undefined => {
  const { decode, select } = readDecoding(decoding, value);
  const kind = from?.value;
  if (kind === undefined) return undefined;
  if (kind !== 'file') {
    const message = 'path is only for an output from a file';
    if (path) value.context.report.add('conflicting_keys', path.keyLocation, message);
    return { kind, decode, ...compact({ select }) };
  }
  if (!path) report(value, 'missing_key', 'path is required in an output from a file');
  return path?.value === undefined ? undefined : { kind, path: path.value, decode, ...compact({ select }) };
});

const literal = shape<OutputSource>((value) => readLiteral(findGivenValue(value) ?? value), {
  not: { type: 'object', required: ['from'] },
});

export const outputSource = namedShape('OutputSource', either<OutputSource, OutputSource>(isSource, source, literal));

const stdoutKind = objectKind({ title: 'output of stdout', keys: decodingKeys });

const givenValueSchema = { type: 'object', required: ['value'], maxProperties: 1 } as const;

const stdoutMap = objectShape(stdoutKind, (fields, value): OutputSource => {
  const { decode, select } = readDecoding(fields, value);
  return { kind: 'stdout', decode, ...compact({ select }) };
});

/** An empty value selects the whole output as a string; `{value: …}` is a value that the step does not print. */
export const stdoutSource = namedShape(
  'StdoutOutput',
  shape<OutputSource>(
    (value) => {
      if (getKind(value) === 'null') return { kind: 'stdout', decode: 'text' };
      const given = findGivenValue(value);
      if (given !== undefined) return readLiteral(given);
      if (getKind(value) === 'map') return stdoutMap.read(value);
      return reportWrongKind(value, 'a map with decode and select, or with value');
    },
    (book) => ({ anyOf: [{ type: 'null' }, givenValueSchema, stdoutMap.schema(book)] }),
  ),
);

function readLiteral(value: YamlValue): OutputSource | undefined {
  const found = anyJson.read(value);
  return found === undefined ? undefined : { kind: 'literal', value: found };
}

/** Returns the value in `{value: …}`. */
function findGivenValue(value: YamlValue): YamlValue | undefined {
  const [first, ...others] = getEntries(value);
  return first?.key === 'value' && others.length === 0 ? first.value : undefined;
}

/** Whether a map has a key `from`, or source keys only, so that it was meant as a source. */
function isSource(value: YamlValue): boolean {
  const keys = getEntries(value).map(({ key }) => key);
  return keys.includes('from') || (keys.length > 0 && keys.every((key) => Object.hasOwn(sourceKind.keys, key)));
}

function readDecoding({ decode, select }: Decoding, { context }: YamlValue) {
  if (select && (!decode || decode.value === 'text')) {
    context.report.add('conflicting_keys', select.keyLocation, 'select needs decode: json or yaml');
  }
  return { decode: decode?.value ?? 'text', select: select?.value } as const;
}
