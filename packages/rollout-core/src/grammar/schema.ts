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
