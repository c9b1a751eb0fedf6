import { compact } from '../../model/compact';
import type { JsonObject, JsonValue } from '../../model/json';
import { objectKind, objectSchema, type KeySpec, type OtherKeys } from '../object-kind';
import { readObject, type Fields } from '../read-object';
import type { JsonSchema } from '../json-schema/json-schema';
import { shape, type ResolvedType, type Shape } from '../shape';
import type { YamlValue } from '../../source/yaml/yaml-value';
import { checkChoice, choiceSchema, type KeyChoice } from './key-choice';

/** Keys whose values are passed on as JSON. */
export type SettingsTable = Readonly<Record<string, KeySpec<JsonValue>>>;

type RequiredName<Keys extends SettingsTable> = {
  [Name in keyof Keys]: Keys[Name] extends { readonly required: true } ? Name : never;
}[keyof Keys];

type Flat<T> = { readonly [Name in keyof T]: T[Name] };

/** The type of the settings that a table describes, once every reference is replaced and every value is checked. */
export type ResolvedSettings<Keys extends SettingsTable> = Flat<
  { readonly [Name in RequiredName<Keys>]: ResolvedType<Keys[Name]['shape']> } & {
    readonly [Name in Exclude<keyof Keys, RequiredName<Keys>>]?: ResolvedType<Keys[Name]['shape']>;
  }
>;

export interface SettingsSource<Keys extends SettingsTable> {
  /** The name for messages: `with of http.request`. */
  readonly title: string;
  readonly keys: Keys;
  /** Keys of the language that this version refuses, with a description. */
  readonly unsupported?: Readonly<Record<string, string>>;
  /** Reads all other keys of the map; without it they are refused. */
  readonly others?: OtherKeys<JsonValue>;
  readonly choices?: readonly KeyChoice[];
  /** Reports problems that concern several keys. */
  readonly check?: (fields: Fields<Keys>, value: YamlValue) => void;
}

/** A map of settings with keys in their current spelling. Values that cannot be read are reported and left out. */
export function settingsShape<Keys extends SettingsTable>(
  source: SettingsSource<Keys>,
): Shape<JsonObject, ResolvedSettings<Keys>> {
  const { title, keys, choices = [], unsupported = {}, others } = source;
  const kind = objectKind({ title, keys, unsupported, ...compact({ others }) });
  const more = choices.flatMap((choice) => choiceSchema(choice, kind));
  return shape<JsonObject, ResolvedSettings<Keys>>(
    (value) => {
      const fields = readObject(value, kind)?.fields;
      if (!fields) return undefined;
      for (const choice of choices) checkChoice(choice, fields, value);
      source.check?.(fields, value);
      return toSettings(fields);
    },
    (book) => {
      const schema = objectSchema(kind, book);
      const allOf = [...((schema.allOf as readonly JsonSchema[] | undefined) ?? []), ...more];
      return allOf.length === 0 ? schema : { ...schema, allOf };
    },
  );
}

function toSettings(fields: Readonly<Record<string, { readonly value: unknown } | undefined>>): JsonObject {
  const values = Object.entries(fields).map(([name, field]) => [name, field?.value] as const);
  // Every value was read by a shape of a SettingsTable, so it is JSON or undefined.
  return compact(Object.fromEntries(values)) as JsonObject;
}
