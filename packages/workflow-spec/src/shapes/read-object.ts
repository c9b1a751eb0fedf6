import { quote } from '../source/text/quote';
import { didYouMean } from '../source/text/suggest';
import type { SuggestedFix, SourceLocation } from '../source/findings/source-location';
import { getEntries, isPartlyRead, getKind, report, type YamlEntry, type YamlValue } from '../source/yaml/yaml-value';
import { objectSchema, type KeySpec, type KeyTable, type ObjectKind, type OtherKeys } from './object-kind';
import { reportWrongKind } from './readers';
import { shape, type Shape } from './shape';

/** A key of the file. `value` is undefined when it could not be read, which was reported. */
export interface Field<T> {
  readonly value: T | undefined;
  readonly source: YamlValue;
  readonly keyLocation: SourceLocation;
  /**
   * Whether the key is a misspelling of this one. It has no value then, but does not count as missing, and no other
   * key is refused because of it.
   */
  readonly isMisspelled?: true;
}

type FieldValue<Spec> = Spec extends KeySpec<infer T, unknown> ? T : never;
export type Fields<Keys extends KeyTable> = { readonly [K in keyof Keys]?: Field<FieldValue<Keys[K]>> };

export interface ReadObject<Keys extends KeyTable> {
  readonly fields: Fields<Keys>;
  /** The unsupported keys in the file; each was reported. */
  readonly unsupported: ReadonlySet<string>;
}

interface DeprecatedSpelling {
  readonly entry: YamlEntry;
  readonly replacement: string;
}

/**
 * Reads the keys of a map by its table. Returns undefined, after reporting it, when the value is not a map. A key
 * without a value counts as missing.
 */
export function readObject<Keys extends KeyTable>(
  value: YamlValue,
  kind: ObjectKind<Keys>,
): ReadObject<Keys> | undefined {
  if (getKind(value) !== 'map') {
    reportWrongKind(value, 'a map');
    return undefined;
  }
  const fields: Record<string, Field<unknown>> = {};
  const unsupported = new Set<string>();
  const unknown: YamlEntry[] = [];
  const deprecated: DeprecatedSpelling[] = [];
  for (const entry of getEntries(value)) {
    const name = kind.spellings.get(entry.key);
    const spec = name === undefined ? undefined : kind.keys[name];
    if (name === undefined) {
      if (kind.others?.names.test(entry.key)) readOther(entry, kind.others, fields);
      else unknown.push(entry);
    } else if (!spec) {
      unsupported.add(name);
      reportUnsupported(entry, kind, name);
    } else if (Object.hasOwn(fields, name)) reportRepeatedKey(entry, firstSpelling(value, kind, name));
    else {
      const replacement = spec.replacedBy ?? name;
      if (!spec.reportedLater && entry.key !== replacement) deprecated.push({ entry, replacement });
      if (getKind(entry.value) !== 'null')
        fields[name] = { value: spec.shape.read(entry.value), source: entry.value, keyLocation: entry.location };
    }
  }
  if (deprecated.length > 0 || unknown.length > 0) {
    // No fix renames a key to one that already exists.
    const written = new Set(getEntries(value).map(({ key }) => key));
    for (const spelling of deprecated) reportDeprecatedSpelling(spelling, written);
    for (const entry of unknown) {
      const meant = reportUnknown(entry, kind, written);
      if (meant !== undefined) fields[meant] ??= misspelledField(entry);
    }
  }
  reportMissing(value, kind, fields);
  // Each field was read by the shape of its own key.
  return { fields: fields as Fields<Keys>, unsupported };
}

/** `build` creates the canonical value from the fields, or reports a finding and returns undefined. */
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

function readOther(
  { key, value, location }: YamlEntry,
  { shape: other }: OtherKeys<unknown>,
  fields: Record<string, Field<unknown>>,
): void {
  if (getKind(value) !== 'null') fields[key] = { value: other.read(value), source: value, keyLocation: location };
}

function reportMissing<Keys extends KeyTable>(
  value: YamlValue,
  kind: ObjectKind<Keys>,
  fields: Readonly<Record<string, Field<unknown>>>,
): void {
  for (const [name, { required }] of Object.entries(kind.keys)) {
    if (required && !fields[name] && !isPartlyRead(value))
      report(value, 'missing_key', `${name} is required in the ${kind.title}`);
  }
}

function misspelledField({ value, location }: YamlEntry): Field<unknown> {
  return { value: undefined, source: value, keyLocation: location, isMisspelled: true };
}

/** Returns the key that was probably meant, if it can be read. */
function reportUnknown<Keys extends KeyTable>(
  { key, location, value }: YamlEntry,
  kind: ObjectKind<Keys>,
  written: ReadonlySet<string>,
): string | undefined {
  const name = kind.spellings.get(value.context.suggest(key, kind.spellings.keys()) ?? '');
  const near = name === undefined ? undefined : (kind.keys[name]?.replacedBy ?? name);
  const message = `the ${kind.title} has invalid keys: ${quote(key)}${didYouMean(near)}`;
  const fix = near === undefined || written.has(near) ? undefined : renameKey(key, near);
  value.context.report.add('unknown_key', location, message, fix);
  return near !== undefined && kind.keys[near] ? near : undefined;
}

function reportUnsupported<Keys extends KeyTable>(
  { location, value, key }: YamlEntry,
  kind: ObjectKind<Keys>,
  name: string,
): void {
  const what = kind.unsupported[name] ?? '';
  value.context.report.add('unsupported_key', location, `${quote(key)} (${what}) is not supported by this version`);
}

function firstSpelling<Keys extends KeyTable>(value: YamlValue, kind: ObjectKind<Keys>, name: string): string {
  return getEntries(value).find(({ key }) => kind.spellings.get(key) === name)?.key ?? name;
}

function reportRepeatedKey({ key, location, value }: YamlEntry, first: string): void {
  value.context.report.add(
    'conflicting_keys',
    location,
    `${quote(key)} and ${quote(first)} are the same key; keep one of them`,
  );
}

function reportDeprecatedSpelling({ entry, replacement }: DeprecatedSpelling, written: ReadonlySet<string>): void {
  const { key, location, value } = entry;
  const message = `${quote(key)} is a deprecated spelling; write ${quote(replacement)}`;
  const fix = written.has(replacement) ? undefined : renameKey(key, replacement);
  value.context.report.add('deprecated_key', location, message, fix);
}

function renameKey(from: string, to: string): SuggestedFix {
  return { title: `Rename ${quote(from)} to ${quote(to)}`, text: to };
}
