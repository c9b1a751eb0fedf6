import { nullable, type JsonSchema, type SchemaBook } from '../json-schema/json-schema';
import type { Shape } from './shape';

/** One key of an object: what may stand there, and how else it may be spelled. */
export interface KeySpec<T> {
  readonly description: string;
  readonly shape: Shape<T>;
  /** Older spellings. The camelCase form of every key is one already. */
  readonly aliases?: readonly string[];
  /** Set for a key of its own meaning that a newer key has taken over. */
  readonly replacedBy?: string;
  /** Whether the reader of the whole object says that the key is old, since what replaces it depends on others. */
  readonly reportedLater?: boolean;
  /** Whether the object makes no sense without the key. */
  readonly required?: boolean;
}

export type KeyTable = Readonly<Record<string, KeySpec<unknown>>>;

/** Everything known about one kind of object in a DAG file. */
export interface ObjectKind<Keys extends KeyTable> {
  /** As it stands in a message: `step`. */
  readonly title: string;
  readonly keys: Keys;
  /** Keys of the language that this version refuses, each with what it is. */
  readonly unsupported: Readonly<Record<string, string>>;
  /** From every spelling to the key in `keys` or `unsupported`. */
  readonly spellings: ReadonlyMap<string, string>;
  /** More for the JSON Schema than the keys can say. */
  readonly rules?: JsonSchema;
}

interface ObjectKindSource<Keys extends KeyTable> {
  readonly title: string;
  readonly keys: Keys;
  readonly unsupported?: Readonly<Record<string, string>>;
  readonly rules?: JsonSchema;
}

export function objectKind<Keys extends KeyTable>(kind: ObjectKindSource<Keys>): ObjectKind<Keys> {
  const { unsupported = {} } = kind;
  const spellings = new Map<string, string>();
  const names = [...Object.keys(kind.keys), ...Object.keys(unsupported)];
  for (const name of names) spellings.set(camelCase(name), name);
  for (const [name, spec] of Object.entries(kind.keys)) {
    for (const alias of spec.aliases ?? []) spellings.set(alias, name);
  }
  for (const name of names) spellings.set(name, name);
  return { ...kind, unsupported, spellings };
}

/** Keeps the value types of a table that is written as a literal. */
export function keySpec<T>(
  description: string,
  shape: Shape<T>,
  more: Pick<KeySpec<T>, 'aliases' | 'replacedBy' | 'reportedLater' | 'required'> = {},
): KeySpec<T> {
  return { description, shape, ...more };
}

/** The object as a JSON Schema: every spelling that is read, the old ones marked as such. */
export function objectSchema<Keys extends KeyTable>(kind: ObjectKind<Keys>, book: SchemaBook): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const [name, spec] of Object.entries(kind.keys)) {
    const { description, replacedBy } = spec;
    const property = withDescription(nullable(spec.shape.schema(book)), description);
    properties[name] = replacedBy === undefined ? property : { ...property, ...deprecation(replacedBy) };
  }
  for (const [spelling, name] of kind.spellings) {
    const property = properties[name];
    const replacement = kind.keys[name]?.replacedBy ?? name;
    if (spelling !== name && property) properties[spelling] = { ...property, ...deprecation(replacement) };
  }
  const required = Object.entries(kind.keys)
    .filter(([, spec]) => spec.required)
    .map(([name]) => anySpelling(kind, name));
  const { allOf = [], ...rules } = kind.rules ?? {};
  const all = [...required, ...(allOf as readonly JsonSchema[])];
  return {
    type: 'object',
    properties,
    additionalProperties: false,
    ...(all.length === 0 ? {} : { allOf: all }),
    ...rules,
  };
}

function anySpelling<Keys extends KeyTable>(kind: ObjectKind<Keys>, name: string): JsonSchema {
  const spellings = [...kind.spellings].filter(([, target]) => target === name).map(([spelling]) => spelling);
  const [first, ...others] = spellings.map((spelling) => ({ required: [spelling] }));
  return others.length === 0 ? (first ?? {}) : { anyOf: [first, ...others] };
}

// Beside a reference draft 07 reads nothing, so the description goes around it.
function withDescription(schema: JsonSchema, description: string): JsonSchema {
  return '$ref' in schema ? { description, allOf: [schema] } : { description, ...schema };
}

// The latter two are what YAML and JSON editors know: a warning, and silence in the list of keys to choose from.
function deprecation(replacement: string): JsonSchema {
  return { deprecated: true, deprecationMessage: `Write ${replacement}.`, doNotSuggest: true };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
