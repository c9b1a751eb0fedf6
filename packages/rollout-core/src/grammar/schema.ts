import type { GrammarRules } from './grammar-rules';

export type Schema = Readonly<Record<string, unknown>>;

/** Converts parts of a schema to rules. */
export interface SchemaGrammar {
  /** Returns the name of a rule for the schema. @param path JSON Pointer, for errors. */
  toRule(schema: unknown, path: string, depth: number): string;
  readonly rules: GrammarRules;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a `$ref` to `#`, `#/$defs/…` or `#/definitions/…` refers to. `undefined` for any other, and where there is none. */
export function findDefinition(root: unknown, pointer: string): unknown {
  if (pointer === '#') return root;
  const [, section, name, ...rest] = pointer.split('/');
  if (!isSchema(root) || rest.length > 0 || name === undefined || !/^#\/(\$defs|definitions)\//.test(pointer))
    return undefined;
  const definitions = root[section ?? ''];
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
  return isSchema(definitions) && Object.hasOwn(definitions, key) ? definitions[key] : undefined;
}
