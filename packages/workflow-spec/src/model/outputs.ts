import type { JsonObject, JsonValue } from './json';

/** A further copy of a stream: into a file, or into the artifacts of the run. */
export interface StreamCopy {
  readonly kind: 'file' | 'artifact';
  readonly path: string;
}

/** Where a named output comes from. */
export type OutputSource =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | {
      readonly kind: 'stdout' | 'stderr' | 'file';
      /** The file; only of kind `file`. */
      readonly path?: string;
      readonly decode: 'text' | 'json' | 'yaml';
      /** A jq expression applied to what was decoded. */
      readonly select?: string;
    };

/** Standard output as one environment variable, or several named outputs. */
export type StepOutput =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'fields'; readonly fields: readonly { readonly name: string; readonly source: OutputSource }[] };

/** What the step writes to the file in `DAGU_OUTPUT_FILE`, as `name=value` lines. */
export interface DeclaredOutput {
  readonly name: string;
  readonly type: 'string' | 'json';
}

export type OutputSchema = JsonObject;
