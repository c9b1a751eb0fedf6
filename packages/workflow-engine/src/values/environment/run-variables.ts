import type { ResolvedParam } from '@weir/workflow-spec';
import type { ReservedEnvName } from '@weir/workflow-spec/values';

export type Environment = Readonly<Record<string, string>>;

/** Variables tell these about a run and the step that executes. Files and folders are absolute. */
export interface RunInfo {
  readonly dagName: string;
  readonly runId: string;
  readonly runLogFile: string;
  readonly workDir: string;
  readonly params: readonly ResolvedParam[];
  /** Only of a DAG with artifacts. */
  readonly artifactsDir?: string;
  /** Only in handlers. */
  readonly runStatus?: string;
  readonly stepName?: string;
  readonly stdoutFile?: string;
  readonly stderrFile?: string;
  /** The file to which the step writes the outputs that it declares. */
  readonly outputFile?: string;
  /** The same for every attempt of one piece of work, also after a crash; unique to it. */
  readonly idempotencyKey?: string;
  /** Only of a repeated step: how many of its iterations have ended. */
  readonly repeatIndex?: number;
  /** Grows with every claim of the run, so that external systems can refuse writes of an earlier owner. */
  readonly fencingToken?: number;
  /** Only in the handler of a run that waits: the names of the steps that do. */
  readonly waitingSteps?: readonly string[];
  /** Only of a step after a push-back. */
  readonly pushBack?: PushBackInfo;
}

export interface PushBackInfo {
  /** Counts from 1. */
  readonly iteration: number;
  readonly inputs: Readonly<Record<string, string>>;
  readonly comment: string | undefined;
  /** The file that the step wrote before. */
  readonly previousStdoutFile: string;
}

interface RunVariable {
  /** The name that existing files use, then ours. */
  readonly names: readonly [theirs: ReservedEnvName, ...others: ReservedEnvName[]];
  /** Missing for what no run has yet; the names are reserved. */
  readonly value?: (info: RunInfo) => string | undefined;
}

/** Every variable about a run. Their meaning is in docs/specs/language/run-context-and-environment.md. */
const runVariableTable: readonly RunVariable[] = [
  { names: ['DAG_NAME', 'WEIR_DAG_NAME'], value: ({ dagName }) => dagName },
  { names: ['DAG_RUN_ID', 'WEIR_RUN_ID'], value: ({ runId }) => runId },
  { names: ['DAG_RUN_LOG_FILE', 'WEIR_RUN_LOG_FILE'], value: ({ runLogFile }) => runLogFile },
  { names: ['DAG_RUN_WORK_DIR', 'WEIR_RUN_WORK_DIR'], value: ({ workDir }) => workDir },
  { names: ['DAG_RUN_ARTIFACTS_DIR', 'WEIR_RUN_ARTIFACTS_DIR'], value: ({ artifactsDir }) => artifactsDir },
  { names: ['DAG_PARAMS_JSON', 'DAGU_PARAMS_JSON', 'WEIR_PARAMS_JSON'], value: ({ params }) => paramsJson(params) },
  { names: ['DAG_RUN_STATUS', 'WEIR_RUN_STATUS'], value: ({ runStatus }) => runStatus },
  { names: ['DAG_RUN_STEP_NAME', 'WEIR_STEP_NAME'], value: ({ stepName }) => stepName },
  { names: ['DAG_RUN_STEP_STDOUT_FILE', 'WEIR_STEP_STDOUT_FILE'], value: ({ stdoutFile }) => stdoutFile },
  { names: ['DAG_RUN_STEP_STDERR_FILE', 'WEIR_STEP_STDERR_FILE'], value: ({ stderrFile }) => stderrFile },
  { names: ['DAGU_OUTPUT_FILE', 'WEIR_OUTPUT_FILE'], value: ({ outputFile }) => outputFile },
  { names: ['WEIR_IDEMPOTENCY_KEY'], value: ({ idempotencyKey }) => idempotencyKey },
  { names: ['WEIR_REPEAT_INDEX'], value: ({ repeatIndex }) => repeatIndex?.toString() },
  { names: ['WEIR_FENCING_TOKEN'], value: ({ fencingToken }) => fencingToken?.toString() },
  { names: ['DAG_WAITING_STEPS', 'WEIR_WAITING_STEPS'], value: ({ waitingSteps }) => waitingSteps?.join(',') },
  { names: ['DAG_PUSHBACK', 'WEIR_PUSHBACK'], value: ({ pushBack }) => pushBackJson(pushBack) },
  {
    names: ['DAG_PUSHBACK_ITERATION', 'WEIR_PUSHBACK_ITERATION'],
    value: ({ pushBack }) => pushBack?.iteration.toString(),
  },
  {
    names: ['DAG_PUSHBACK_PREVIOUS_STDOUT_FILE', 'WEIR_PUSHBACK_PREVIOUS_STDOUT_FILE'],
    value: ({ pushBack }) => pushBack?.previousStdoutFile,
  },
  { names: ['WEIR_PUSHBACK_COMMENT'], value: ({ pushBack }) => pushBack?.comment },
  { names: ['DAG_WIKI_DIR', 'WEIR_WIKI_DIR'] },
  { names: ['WEBHOOK_PAYLOAD'], value: givenAs('WEBHOOK_PAYLOAD') },
  { names: ['WEBHOOK_HEADERS'], value: givenAs('WEBHOOK_HEADERS') },
  { names: ['WEIR_TRIGGER_FILE'], value: givenAs('WEIR_TRIGGER_FILE') },
  { names: ['WEIR_TRIGGER_FILES'], value: givenAs('WEIR_TRIGGER_FILES') },
  { names: ['WEIR_TRIGGER_EVENT'], value: givenAs('WEIR_TRIGGER_EVENT') },
];

/** The variables about the run, each under the name that existing files use and under our own. */
export function runVariables(info: RunInfo): Environment {
  const entries = runVariableTable.flatMap(({ names, value }) => {
    const text = value?.(info);
    return text === undefined ? [] : names.map((name) => [name, text] as const);
  });
  return Object.fromEntries(entries);
}

/** Names that a server which is itself a step of a run must not pass on: their values are about that run. */
export const runVariableNames: ReadonlySet<string> = new Set<string>(runVariableTable.flatMap(({ names }) => names));

/** What started the run gave the value as a parameter. */
function givenAs(given: ReservedEnvName): (info: RunInfo) => string | undefined {
  return ({ params }) => params.find(({ name }) => name === given)?.value;
}

function pushBackJson(pushBack: PushBackInfo | undefined): string | undefined {
  if (pushBack === undefined) return undefined;
  const { iteration, inputs, comment } = pushBack;
  return JSON.stringify({ iteration, inputs, comment });
}

function paramsJson(params: readonly ResolvedParam[]): string {
  return JSON.stringify(Object.fromEntries(params.map(({ name, value }) => [name, value])));
}
