import type { JsonValue } from '../model/json';

/** What is known of a step that has ended. */
export interface StepValues {
  /** By name; a value of type json is walked by the path after the name. */
  readonly outputs?: ReadonlyMap<string, JsonValue>;
  /** What `output` took from the step. */
  readonly output?: JsonValue;
  /** Paths of the log files. */
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
}

/** Where references find their values: plain data, so that a run, a preview and a test are resolved alike. */
export interface Scope {
  /** All of the run, undeclared ones included: `${params.NAME}`; positional ones are `1`, `2`, … */
  readonly params: ReadonlyMap<string, string>;
  /** The environment at that place. `$NAME` and `${NAME}` find nothing else. */
  readonly env: ReadonlyMap<string, string>;
  readonly consts?: ReadonlyMap<string, string>;
  /** By the words after `context.`: `run.id`. */
  readonly context?: ReadonlyMap<string, string>;
  /** The steps that may be referred to, by ID. */
  readonly steps?: ReadonlyMap<string, StepValues>;
  /** The items of the loops around the step, by name. */
  readonly foreach?: ReadonlyMap<string, JsonValue>;
  /** The item of `parallel`, read as `${ITEM}`. */
  readonly item?: JsonValue;
  /** Told each reference that has no value, as it is written. */
  readonly unresolved?: (reference: string) => void;
}

/** The first words of the references that no variable can take over. */
export const namespaces = ['consts', 'params', 'env', 'steps', 'foreach', 'context'] as const;
export type Namespace = (typeof namespaces)[number];

export function isNamespace(word: string): word is Namespace {
  return (namespaces as readonly string[]).includes(word);
}

/** The words after `context.` that there are; a field may still have no value at some places. */
export const contextFields = [
  'dag.name',
  'run.id',
  'run.status',
  'run.scheduled_at',
  'run.root_name',
  'run.root_id',
  'attempt.id',
  'attempt.started_at',
  'step.id',
  'step.name',
  'trigger.type',
  'trigger.actor',
  'paths.log_file',
  'paths.work_dir',
  'paths.artifacts_dir',
  'paths.step_stdout_file',
  'paths.step_stderr_file',
  'paths.step_output_file',
  'profile.name',
  'profile.resolved_at',
  'pushback.iteration',
  'pushback.previous_stdout_file',
] as const;
export type ContextField = (typeof contextFields)[number];
