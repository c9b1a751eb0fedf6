import type { JsonObject, JsonValue } from './json';

/** Copies a stream to a file or to an artifact of the run. */
export interface StreamCopy {
  readonly kind: 'file' | 'artifact';
  readonly path: string;
}

export type OutputSource =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | {
      readonly kind: 'stdout' | 'stderr' | 'file';
      /** Only for kind `file`. */
      readonly path?: string;
      readonly decode: 'text' | 'json' | 'yaml';
      /** A jq expression applied to the decoded value. */
      readonly select?: string;
    };

/** Standard output as one environment variable, or several named outputs. */
export type StepOutput =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'fields'; readonly fields: readonly { readonly name: string; readonly source: OutputSource }[] };

/** An output that the step writes to the file in `DAGU_OUTPUT_FILE`, as a `name=value` line. */
export interface DeclaredOutput {
  readonly name: string;
  readonly type: 'string' | 'json';
}

export type OutputSchema = JsonObject;
