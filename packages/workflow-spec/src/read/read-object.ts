import { quote } from '../quote';
import { didYouMean } from '../suggest';
import type { FixText, Spot } from '../finding-report';
import { entriesOf, kindOf, report, type YamlEntry, type YamlValue } from '../yaml/yaml-value';
import { objectSchema, type KeySpec, type KeyTable, type ObjectKind } from './object-kind';
import { wrongKind } from './readers';
import { shape, type Shape } from './shape';

/** A key that was given. `value` is missing when it could not be read, which has been reported. */
export interface Field<T> {
  readonly value: T | undefined;
  readonly source: YamlValue;
  /** The place of the key. */
  readonly key: Spot;
}

type ValueOf<Spec> = Spec extends KeySpec<infer T> ? T : never;
export type Fields<Keys extends KeyTable> = { readonly [K in keyof Keys]?: Field<ValueOf<Keys[K]>> };

export interface ReadObject<Keys extends KeyTable> {
  readonly fields: Fields<Keys>;
  /** The unsupported keys that were given; each has been reported. */
  readonly unsupported: ReadonlySet<string>;
}

/**
 * Reads the keys of one object by its table. Nothing when the value is not a map, which is reported. A key whose
 * value is left empty counts as not given.
 */
export function readObject<Keys extends KeyTable>(
  value: YamlValue,
  kind: ObjectKind<Keys>,
): ReadObject<Keys> | undefined {
  if (kindOf(value) !== 'map') {
    wrongKind(value, 'a map');
    return undefined;
  }
  const fields: Record<string, Field<unknown>> = {};
  const unsupported = new Set<string>();
  for (const entry of entriesOf(value)) {
    const name = kind.spellings.get(entry.key);
    const spec = name === undefined ? undefined : kind.keys[name];
    if (name === undefined) reportUnknown(entry, kind);
    else if (!spec) {
      unsupported.add(name);
      reportUnsupported(entry, kind, name);
    } else if (Object.hasOwn(fields, name)) reportSameKey(entry, name);
    else {
      if (!spec.saidLater) reportOldSpelling(entry, spec.replacedBy ?? name);
      if (kindOf(entry.value) !== 'null')
        fields[name] = { value: spec.shape.read(entry.value), source: entry.value, key: entry.spot };
    }
  }
  reportMissing(value, kind, fields);
  // Each field was read by the reader its own key has in the table.
  return { fields: fields as Fields<Keys>, unsupported };
}

/** An object as a shape: `build` makes the canonical value of its fields, or gives nothing after it has reported. */
export function objectShape<Keys extends KeyTable, T>(
  kind: ObjectKind<Keys>,
  build: (fields: Fields<Keys>, value: YamlValue, read: ReadObject<Keys>) => T | undefined,
): Shape<T> {
  return shape(
    (value) => {
      const read = readObject(value, kind);
      return read && build(read.fields, value, read);
    },
    (book) => objectSchema(kind, book),
  );
}

function reportMissing<Keys extends KeyTable>(
  value: YamlValue,
  kind: ObjectKind<Keys>,
  fields: Readonly<Record<string, Field<unknown>>>,
): void {
  for (const [name, { required }] of Object.entries(kind.keys)) {
    if (required && !fields[name]) report(value, 'missing_key', `${name} is required in the ${kind.title}`);
  }
}

function reportUnknown<Keys extends KeyTable>({ key, spot, value }: YamlEntry, kind: ObjectKind<Keys>): void {
  const name = kind.spellings.get(value.context.suggest(key, kind.spellings.keys()) ?? '');
  const near = name === undefined ? undefined : (kind.keys[name]?.replacedBy ?? name);
  const message = `the ${kind.title} has invalid keys: ${quote(key)}${didYouMean(near)}`;
  value.context.report.add('unknown_key', spot, message, near === undefined ? undefined : renameKey(key, near));
}

function reportUnsupported<Keys extends KeyTable>(
  { spot, value, key }: YamlEntry,
  kind: ObjectKind<Keys>,
  name: string,
): void {
  const what = kind.unsupported[name] ?? '';
  value.context.report.add('unsupported_key', spot, `${quote(key)} (${what}) is not supported by this version`);
}

function reportSameKey({ key, spot, value }: YamlEntry, name: string): void {
  value.context.report.add(
    'conflicting_keys',
    spot,
    `${quote(key)} and ${quote(name)} are the same key; keep one of them`,
  );
}

function reportOldSpelling({ key, spot, value }: YamlEntry, replacement: string): void {
  if (key === replacement) return;
  const message = `${quote(key)} is an old spelling; write ${quote(replacement)}`;
  value.context.report.add('deprecated_key', spot, message, renameKey(key, replacement));
}

function renameKey(from: string, to: string): FixText {
  return { title: `Rename ${quote(from)} to ${quote(to)}`, text: to };
}
