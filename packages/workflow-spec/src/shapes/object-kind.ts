import { nullable, type JsonSchema, type SchemaBook } from './json-schema/json-schema';
import type { Shape } from './shape';

export interface KeySpec<T, Resolved = T> {
  readonly description: string;
  readonly shape: Shape<T, Resolved>;
  /** Deprecated spellings, in addition to the camelCase form that every key has. */
  readonly aliases?: readonly string[];
  /** The key that replaces a deprecated key. */
  readonly replacedBy?: string;
  /** Whether the reader of the object reports the deprecation, because the replacement depends on other keys. */
  readonly reportedLater?: boolean;
  readonly required?: boolean;
}

/** Keys that a map may have besides those of its table. */
export interface OtherKeys<T> {
  readonly names: RegExp;
  readonly shape: Shape<T>;
}

export type KeyTable = Readonly<Record<string, KeySpec<unknown>>>;

type KeyOptions = Pick<KeySpec<unknown>, 'aliases' | 'replacedBy' | 'reportedLater' | 'required'>;

/** A key that is known to be given. */
export type RequiredKeySpec<T, Resolved = T> = KeySpec<T, Resolved> & { readonly required: true };

/** One kind of map in a DAG file: its keys and their spellings. */
export interface ObjectKind<Keys extends KeyTable> {
  /** The name for messages: `step`. */
  readonly title: string;
  readonly keys: Keys;
  /** Keys of the language that this version refuses, with a description. */
  readonly unsupported: Readonly<Record<string, string>>;
  /** Reads keys that the table does not have; without it they are refused. */
  readonly others?: OtherKeys<unknown>;
  /** Maps every spelling to its key in `keys` or `unsupported`. */
  readonly spellings: ReadonlyMap<string, string>;
  /** Additional JSON Schema rules between keys. */
  readonly rules?: JsonSchema;
}

interface ObjectKindSource<Keys extends KeyTable> {
  readonly title: string;
  readonly keys: Keys;
  readonly unsupported?: Readonly<Record<string, string>>;
  readonly others?: OtherKeys<unknown>;
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

/** Infers the value type of each key in a table literal. */
export function keySpec<T, Resolved>(
  description: string,
  shape: Shape<T, Resolved>,
  more: KeyOptions & { readonly required: true },
): RequiredKeySpec<T, Resolved>;
export function keySpec<T, Resolved>(
  description: string,
  shape: Shape<T, Resolved>,
  more?: KeyOptions,
): KeySpec<T, Resolved>;
export function keySpec<T, Resolved>(
  description: string,
  shape: Shape<T, Resolved>,
  more: KeyOptions = {},
): KeySpec<T, Resolved> {
  return { description, shape, ...more };
}

/** Returns a JSON Schema of the object with every accepted spelling; the old ones are marked as deprecated. */
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
    ...(kind.others === undefined ? { additionalProperties: false } : otherKeysSchema(kind.others, book)),
    ...(all.length === 0 ? {} : { allOf: all }),
    ...rules,
  };
}

function otherKeysSchema({ names, shape }: OtherKeys<unknown>, book: SchemaBook): JsonSchema {
  return { additionalProperties: nullable(shape.schema(book)), propertyNames: { pattern: names.source } };
}

function anySpelling<Keys extends KeyTable>(kind: ObjectKind<Keys>, name: string): JsonSchema {
  const spellings = [...kind.spellings].filter(([, target]) => target === name).map(([spelling]) => spelling);
  const [first, ...others] = spellings.map((spelling) => ({ required: [spelling] }));
  return others.length === 0 ? (first ?? {}) : { anyOf: [first, ...others] };
}

// Draft 07 ignores keywords next to a reference, so the description wraps it.
function withDescription(schema: JsonSchema, description: string): JsonSchema {
  return '$ref' in schema ? { description, allOf: [schema] } : { description, ...schema };
}

// `deprecationMessage` and `doNotSuggest` are understood by YAML and JSON editors.
function deprecation(replacement: string): JsonSchema {
  return { deprecated: true, deprecationMessage: `Write ${replacement}.`, doNotSuggest: true };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
