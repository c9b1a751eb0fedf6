import { InvalidArgumentError, Option, type Command } from 'commander';
import type { StartOptions } from '../../features/runs';
import { triggerTypes, type DagRun } from '@weir/workflow-engine/model';
import type { JsonValue } from '@weir/workflow-spec';
import type { RunTarget } from '../../features/dags';

/** The settings of a new run that a command line may give. */
export interface RunFlags {
  readonly params?: string | undefined;
  /** Name of the DAG that the run belongs to, instead of that in the file. */
  readonly name?: string | undefined;
  /** Added to those of the DAG. */
  readonly labels?: readonly string[] | undefined;
  readonly runId?: string | undefined;
  readonly queue?: string | undefined;
  /** See `ProfileChoice`. */
  readonly profile?: string | undefined;
  readonly priority?: number | undefined;
  readonly triggerType?: DagRun['triggerType'] | undefined;
  readonly scheduleTime?: Date | undefined;
  readonly dags?: string | undefined;
  /** The run whose spec and parameters are used. */
  readonly fromRunId?: string | undefined;
  /** When false, the steps of a build execute although their files are up to date. */
  readonly reuse?: boolean | undefined;
  /** See `StepChoice`. */
  readonly only?: readonly string[] | undefined;
  readonly output?: StartOptions['outputs'];
  readonly outputsFrom?: string | undefined;
  /** Whether only errors are printed. */
  readonly quiet?: boolean | undefined;
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const queuePattern = /^[A-Za-z0-9_.-]{1,64}$/;

/** Gives a command the flags and the arguments of `start`. */
export function addRunFlags(command: Command): Command {
  return command
    .argument('<dag>', 'a DAG file, or the name of a DAG in the DAGs folder')
    .argument('[params...]', 'parameters after "--": name=value or positional')
    .option('-p, --params <text>', 'parameters as a string: JSON, or words such as name=value')
    .option('-r, --run-id <id>', 'id of the run')
    .option('--only <step>', 'execute only this step, by name or id; may be repeated', collect)
    .option('--output <step.name=value>', 'output of a skipped step; may be repeated', collectOutput)
    .option('--outputs-from <run-id>', 'take outputs, logs and working files of skipped steps from this run')
    .option('--no-reuse', 'execute the steps of a build although their files are up to date')
    .option('--profile <name>', 'profile whose variables and secrets the run gets; "" for none')
    .option('--queue <name>', 'queue of the run, instead of that of the DAG', parseQueueName)
    .addOption(new Option('--trigger-type <type>', 'the recorded trigger of the run').choices(triggerTypes))
    .option('--schedule-time <time>', 'the occurrence that the run is for, such as 2026-11-21T02:00:00Z', parseTime)
    .option('--dags <folder>', 'folder of the DAG files, instead of WEIR_DAGS_DIR');
}

/** Returns the flags with the parameters that stand after "--". */
export function withParams(flags: RunFlags, params: readonly string[], command: Command): RunFlags {
  if (flags.params !== undefined && params.length > 0) {
    command.error('error: give parameters with --params or after "--", not both');
  }
  if (flags.only === undefined && (flags.output !== undefined || flags.outputsFrom !== undefined)) {
    command.error('error: --output and --outputs-from are for the steps that --only leaves out');
  }
  return { ...flags, params: flags.params ?? (params.length > 0 ? JSON.stringify(params) : undefined) };
}

export function toStartOptions({
  params,
  labels,
  runId,
  queue,
  profile,
  priority,
  triggerType,
  scheduleTime,
  reuse,
  only,
  output,
  outputsFrom,
}: RunFlags): Omit<StartOptions, 'audit'> {
  return {
    params,
    labels,
    dagRunId: runId,
    queueName: queue,
    profile,
    priority,
    triggerType,
    scheduleTime,
    rebuild: reuse === false,
    only,
    outputs: output,
    outputsFrom,
  };
}

/** Returns the request for a run of this target, with the flags that only commands of the same machine may use. */
export function toSpecRequest({ dag, specText, fileName }: RunTarget, flags: RunFlags) {
  const { priority, triggerType, scheduleTime } = flags;
  const origin = { fileName, triggerType, priority, scheduleTime: scheduleTime?.toISOString() };
  return { ...toRequestOptions(flags), spec: specText, name: dag.name, origin };
}

/** Returns the part of a request that every caller may send. */
export function toRequestOptions({ params, labels, runId, profile, reuse, only, output, outputsFrom }: RunFlags) {
  return {
    params,
    labels: labels && [...labels],
    dagRunId: runId,
    profile,
    rebuild: reuse === false,
    only: only && [...only],
    outputs: output && structuredClone(output),
    outputsFrom,
  };
}

/** Parses a list between commas, such as `env=prod,nightly`. */
export function parseWords(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.includes('')) throw new InvalidArgumentError('Use words between commas.');
  return words;
}

/** Parses the priority of a run in its queue, where a higher one comes first. */
export function parsePriority(text: string): number {
  if (!/^-?\d{1,4}$/.test(text)) throw new InvalidArgumentError('Use an integer from -9999 to 9999.');
  return Number(text);
}

/** Parses a moment on a command line: a date, or a date and a time with its zone. */
export function parseTime(text: string): Date {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = new Date(isTime ? text : Number.NaN);
  if (Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError('Use a date, or a date and a time with its zone, such as 2026-11-21T02:00:00Z.');
  }
  return time;
}

function collect(text: string, others: readonly string[] = []): readonly string[] {
  return [...others, text];
}

/** An object or an array in JSON is one; any other value is text. */
function collectOutput(text: string, others: StartOptions['outputs'] = {}): StartOptions['outputs'] {
  const [, step, name, value] = /^([^=]+)\.([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (step === undefined || name === undefined || value === undefined) {
    throw new InvalidArgumentError('Use STEP.NAME=VALUE.');
  }
  return { ...others, [step]: { ...others[step], [name]: parseValue(value) } };
}

function parseValue(text: string): JsonValue {
  try {
    return /^[[{]/.test(text) ? (JSON.parse(text) as JsonValue) : text;
  } catch {
    return text;
  }
}

function parseQueueName(text: string): string {
  if (!queuePattern.test(text)) throw new InvalidArgumentError('A queue has 1 to 64 letters, digits, "_", "." or "-".');
  return text;
}

/** Returns the milliseconds of a string such as `30d`. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) {
    throw new InvalidArgumentError('Use a number and a unit out of m, h, d and w, such as 30d.');
  }
  // The pattern lets no other letter through.
  return Number(amount) * units[unit as keyof typeof units];
}
