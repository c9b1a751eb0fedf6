import type { Reader } from './readers';

/** One key of an object: what reads it, and how else it may be spelled. */
export interface KeySpec<T> {
  readonly description: string;
  readonly read: Reader<T>;
  /** Older spellings. The camelCase form of every key is one already. */
  readonly aliases?: readonly string[];
  /** Set for a key of its own meaning that a newer key has taken over. */
  readonly replacedBy?: string;
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
}

export function objectKind<Keys extends KeyTable>(kind: Omit<ObjectKind<Keys>, 'spellings'>): ObjectKind<Keys> {
  const spellings = new Map<string, string>();
  const names = [...Object.keys(kind.keys), ...Object.keys(kind.unsupported)];
  for (const name of names) spellings.set(camelCase(name), name);
  for (const [name, spec] of Object.entries(kind.keys)) {
    for (const alias of spec.aliases ?? []) spellings.set(alias, name);
  }
  for (const name of names) spellings.set(name, name);
  return { ...kind, spellings };
}

/** Keeps the value types of a table that is written as a literal. */
export function keySpec<T>(
  description: string,
  read: Reader<T>,
  more: Pick<KeySpec<T>, 'aliases' | 'replacedBy'> = {},
): KeySpec<T> {
  return { description, read, ...more };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
