import type { JsonObject } from './json';

export type ParamScalar = string | number | boolean;

export interface ParamDef {
  /** Missing for a positional parameter, read as `$1`, `$2`, … in order. */
  readonly name?: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly default?: ParamScalar;
  /**
   * A string whose references and command substitutions are evaluated when the run starts and the parameter was not
   * given. When that fails, `default` applies.
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
 * The location of the JSON Schema of the parameters. For kind `inline`, `params` come from the schema. Otherwise the
 * schema is loaded when a run starts, and until then `params` hold only the default values of the file.
 */
export type ParamSchemaSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'inline'; readonly schema: JsonObject };

/** A parameter value given by a start request or a calling DAG. Values are literal and never expanded. */
export interface ResolvedParam {
  readonly name: string;
  readonly value: string;
  /** Set for a name that the DAG does not declare: such a parameter never becomes an environment variable. */
  readonly undeclared?: true;
}
