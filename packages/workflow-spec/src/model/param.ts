import type { JsonObject } from './json';

export type ParamScalar = string | number | boolean;

export interface ParamDef {
  /** Missing for a positional parameter, which is read as `$1`, `$2`, … in order. */
  readonly name?: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly default?: ParamScalar;
  /**
   * A text whose references and command substitutions are worked out when the run starts, for a parameter that was
   * not given. A failure falls back to `default`.
   */
  readonly eval?: string;
  readonly description?: string;
  readonly required: boolean;
  readonly enum?: readonly ParamScalar[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/**
 * Where the JSON Schema of the parameters is. Of kind `inline`, `params` are what it declares; of the others it is
 * read when a run starts, and until then `params` are only the values that the file gives as defaults.
 */
export type ParamSchemaSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'inline'; readonly schema: JsonObject };

/** What a start request, or a sub-DAG call, hands in; values are literal and never expanded. */
export interface ResolvedParam {
  /** `1`, `2`, … for a positional parameter. */
  readonly name: string;
  readonly value: string;
  /** Set for a name that the DAG does not declare: such a parameter never becomes an environment variable. */
  readonly undeclared?: true;
}
