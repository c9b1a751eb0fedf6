import type { Dag, Step } from '@weir/workflow-spec';
import { runnableActions } from './executors/actions/action-executors';

/** What of a value cannot be carried out, in the words of the file; `false` when all of it can. */
type Judge<Value> = (value: Value) => string | readonly string[] | false;

/** Every property is named here, so that a new one cannot be passed over in silence. `null`: nothing to refuse. */
type Judges<Whole> = { readonly [Key in keyof Required<Whole>]: Judge<NonNullable<Whole[Key]>> | null };

const always = (key: string) => () => key;

const stepJudges: Judges<Step> = {
  name: null,
  id: null,
  description: null,
  run: (run) => {
    if (run.kind === 'action') return !runnableActions.has(run.action) && `action ${run.action}`;
    return run.kind === 'foreach' && 'foreach';
  },
  depends: null,
  env: null,
  workingDir: null,
  shell: null,
  shellPackages: (packages) => packages.length > 0 && 'shell_packages',
  parallel: always('parallel'),
  preconditions: null,
  continueOn: null,
  retryPolicy: null,
  repeatPolicy: null,
  timeoutSec: null,
  signalOnStop: null,
  mailOnError: (isOn) => isOn && 'mail_on_error',
  stdout: ({ kind }) => kind === 'artifact' && 'stdout.artifact',
  stderr: ({ kind }) => kind === 'artifact' && 'stderr.artifact',
  logOutput: (layout) => layout === 'merged' && 'log_output',
  output: null,
  outputSchema: null,
  outputs: null,
  // Files for a worker: here they are at hand.
  dependencies: null,
  container: always('container'),
  workerSelector: (selector) => selector !== 'local' && 'worker_selector',
  approval: always('approval'),
};

// Outputs are held in memory and stored in one piece.
const maxOutputBytes = 16_777_216;

const dagJudges: Judges<Dag> = {
  name: null,
  workspace: null,
  description: null,
  group: null,
  labels: null,
  type: null,
  steps: null,
  params: null,
  defaultParams: null,
  paramSchema: null,
  consts: null,
  env: null,
  dotenv: null,
  secrets: (secrets) => secrets.length > 0 && 'secrets',
  workingDir: null,
  shell: null,
  // When runs start, how many wait and how long they are kept makes no difference to one that somebody starts.
  schedule: null,
  stopSchedule: null,
  restartSchedule: null,
  skipIfSuccessful: null,
  catchupWindowSec: null,
  overlapPolicy: null,
  queue: null,
  maxActiveRuns: null,
  restartWaitSec: null,
  histRetentionDays: null,
  histRetentionRuns: null,
  runConfig: null,
  webhook: null,
  maxActiveSteps: null,
  timeoutSec: null,
  delaySec: null,
  maxCleanUpTimeSec: null,
  retryPolicy: ({ limit }) => limit !== 0 && 'retry_policy',
  preconditions: null,
  handlers: (handlers) => Object.keys(handlers).map((kind) => `handler_on.${kind}`),
  inheritedHandlers: null,
  mailOn: ({ success, failure, wait }) => (success || failure || wait) && 'mail_on',
  // Only used by what is refused: mails, container and actions.
  smtp: null,
  errorMail: null,
  infoMail: null,
  waitMail: null,
  registryAuths: null,
  // Existing files mean by it that the steps run on that host, and never on this one.
  ssh: always('ssh'),
  llm: null,
  logDir: always('log_dir'),
  logOutput: (layout) => layout === 'merged' && 'log_output',
  maxOutputSize: (bytes) => bytes > maxOutputBytes && `max_output_size above ${maxOutputBytes}`,
  artifacts: ({ enabled }) => enabled && 'artifacts',
  container: always('container'),
  resources: always('resources'),
  workerSelector: (selector) => selector !== 'local' && 'worker_selector',
  otel: always('otel'),
};

/**
 * What of a valid DAG the engine cannot carry out yet, a phrase each: `step "x": retry_policy`, `DAG: mail_on`. Empty
 * when it may run: nothing that changes what a run does is passed over.
 */
export function unrunnableParts(dag: Dag): readonly string[] {
  const ofDag = judge(dag, dagJudges).map((part) => `DAG: ${part}`);
  return [
    ...ofDag,
    ...dag.steps.flatMap((step) => judge(step, stepJudges).map((part) => `step "${step.name}": ${part}`)),
  ];
}

function judge<Whole extends object>(whole: Whole, judges: Judges<Whole>): readonly string[] {
  // The keys of a table are those of what it judges, which Object.keys cannot express.
  return (Object.keys(judges) as (keyof Required<Whole>)[]).flatMap((key) => {
    const value = whole[key];
    const found = value === undefined || value === null ? false : judges[key]?.(value);
    return found === false || found === undefined ? [] : found;
  });
}
