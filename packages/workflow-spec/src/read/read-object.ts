import { quote } from '../quote';
import type { Spot } from '../finding-report';
import { entriesOf, kindOf, type YamlEntry, type YamlValue } from '../yaml/yaml-value';
import type { KeySpec, KeyTable, ObjectKind } from './object-kind';
import { wrongKind } from './readers';

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
      reportOldSpelling(entry, spec.replacedBy ?? name);
      if (kindOf(entry.value) !== 'null')
        fields[name] = { value: spec.read(entry.value), source: entry.value, key: entry.spot };
    }
  }
  // Each field was read by the reader its own key has in the table.
  return { fields: fields as Fields<Keys>, unsupported };
}

function reportUnknown<Keys extends KeyTable>({ key, spot, value }: YamlEntry, kind: ObjectKind<Keys>): void {
  const suggestion = value.context.suggest(key, kind.spellings.keys());
  value.context.report.add('unknown_key', spot, `the ${kind.title} has invalid keys: ${quote(key)}${suggestion}`);
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
  value.context.report.add('deprecated_key', spot, `${quote(key)} is an old spelling; write ${quote(replacement)}`);
}
