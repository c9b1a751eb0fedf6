import type { JsonValue } from '../../model/json';

/** The values of a step that has ended. */
export interface StepValues {
  /** The outputs by name; values of type json can be entered by a path. */
  readonly outputs?: ReadonlyMap<string, JsonValue>;
  /** What `${ID.outputs}` is as a whole: the outputs of the step or of the run that it called, or a list of those. */
  readonly collected?: JsonValue;
  /** The value captured by `output`. */
  readonly output?: JsonValue;
  /** Paths of the log files. */
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
}

/** The values that references resolve to. Plain data, so that runs, previews and tests resolve alike. */
export interface Scope {
  /** All parameters of the run, including undeclared ones: `${params.NAME}`; positional ones are `1`, `2`, … */
  readonly params: ReadonlyMap<string, string>;
  /** The environment of the string being resolved. `$NAME` and `${NAME}` are looked up only here. */
  readonly env: ReadonlyMap<string, string>;
  readonly consts?: ReadonlyMap<string, string>;
  /** The fields by the name after `context.`: `run.id`. */
  readonly context?: ReadonlyMap<string, string>;
  /** The steps by ID; only those that may be referred to. */
  readonly steps?: ReadonlyMap<string, StepValues>;
  /** Absolute paths of the files of a step of a build, by name. */
  readonly files?: Readonly<Record<'inputs' | 'outputs', ReadonlyMap<string, string>>>;
  /** Items of the enclosing loops, by name. */
  readonly foreach?: ReadonlyMap<string, JsonValue>;
  /** The item of `parallel`, read as `${ITEM}`. */
  readonly item?: JsonValue;
  /** Called with each reference that has no value, as written. */
  readonly unresolved?: (reference: string) => void;
}

/** Reserved heads of references; no variable can shadow them. */
export const namespaces = ['consts', 'params', 'env', 'steps', 'foreach', 'context'] as const;
export type Namespace = (typeof namespaces)[number];

export function isNamespace(word: string): word is Namespace {
  return (namespaces as readonly string[]).includes(word);
}

/** The fields of `context.`; not every string has a value for each of them. */
export const contextFields = [
  'dag.name',
  'run.id',
  'run.status',
  'run.started_at',
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
  'repeat.index',
  'pushback.iteration',
  'pushback.comment',
  'pushback.previous_stdout_file',
] as const;

/** Returns the field of the context that an older name stands for: `${run.started_at}`; a step or variable of that name wins. */
export function formerContextField(path: readonly string[]): ContextField | undefined {
  const name = path.join('.');
  return contextFields.find((field) => field === name && field !== 'attempt.started_at');
}

type ContextField = (typeof contextFields)[number];
