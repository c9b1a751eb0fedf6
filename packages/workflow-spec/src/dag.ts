/** How the order of steps is found: by `depends`, or each step after the one before it. */
export type DagType = 'graph' | 'chain';

export type ParamScalar = string | number | boolean;

export interface ParamDef {
  /** Missing for a positional parameter, which is read as `$1`, `$2`, … in order. */
  readonly name?: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly default?: ParamScalar;
  readonly description?: string;
  readonly required: boolean;
  readonly enum?: readonly ParamScalar[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

export interface EnvEntry {
  readonly name: string;
  /** May refer to earlier entries and to parameters; worked out when the run starts. */
  readonly value: string;
}

export type Schedule =
  | { readonly kind: 'cron'; readonly expression: string }
  /** `at` is RFC 3339 with an offset. */
  | { readonly kind: 'at'; readonly at: string };

/** What a step runs: commands one after another, or a script handed to a shell as a file. */
export type StepRun =
  | { readonly kind: 'commands'; readonly commands: readonly string[] }
  | { readonly kind: 'script'; readonly script: string };

export interface Step {
  readonly name: string;
  readonly id?: string;
  readonly description?: string;
  readonly run: StepRun;
  /** Names of the steps before this one, ids already replaced by names and chain order already applied. */
  readonly depends: readonly string[];
  readonly env: readonly EnvEntry[];
  readonly workingDir?: string;
  /** Shell with its arguments; missing means the DAG's. */
  readonly shell?: readonly string[];
}

/** The canonical form of a DAG file. The authored YAML forms never leave this package. */
export interface Dag {
  readonly name: string;
  readonly description?: string;
  readonly group?: string;
  /** `key` or `key=value`, lower-case, sorted, each once. */
  readonly labels: readonly string[];
  /** From exactly one valid `workspace=<name>` label, otherwise missing. */
  readonly workspace?: string;
  readonly type: DagType;
  readonly params: readonly ParamDef[];
  /** The parameters as written, one line: `name=value other="two words"`. */
  readonly defaultParams?: string;
  readonly env: readonly EnvEntry[];
  readonly workingDir?: string;
  readonly shell?: readonly string[];
  readonly schedule: readonly Schedule[];
  /** Steps of one run that may run at the same time; 0 is no limit. */
  readonly maxActiveSteps: number;
  readonly steps: readonly Step[];
}

/** What a start request, or a sub-DAG call, hands in; values are literal and never expanded. */
export interface ResolvedParam {
  /** `1`, `2`, … for a positional parameter. */
  readonly name: string;
  readonly value: string;
}
