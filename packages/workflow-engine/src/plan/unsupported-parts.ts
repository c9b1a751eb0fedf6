import { findAction, type Dag, type Step } from '@weir/workflow-spec';
import { flattenSteps } from './flatten-steps';
import { containerParts } from '../container/container-parts';
import { unavailableSecrets } from './unavailable-secrets';

/** What of a value is not supported, by its keys; `false` when all of it is. */
type Check<Value> = (value: Value) => string | readonly string[] | false;

/** Every property is named here, so that a new one cannot be passed over in silence. `null`: nothing to refuse. */
type Checks<Whole> = { readonly [Key in keyof Required<Whole>]: Check<NonNullable<Whole[Key]>> | null };

const stepChecks: Checks<Step> = {
  name: null,
  id: null,
  description: null,
  run: (run) => run.kind === 'foreach' && run.steps.flatMap(unsupportedStepParts),
  depends: null,
  env: null,
  workingDir: null,
  shell: null,
  shellPackages: (packages) => packages.length > 0 && 'shell_packages',
  parallel: null,
  preconditions: null,
  continueOn: null,
  retryPolicy: null,
  repeatPolicy: null,
  timeoutSec: null,
  signalOnStop: null,
  idempotent: null,
  mailOnError: null,
  stdout: null,
  stderr: null,
  logOutput: null,
  output: null,
  outputSchema: null,
  outputs: null,
  inputs: null,
  targets: null,
  // Files for a worker: here they are at hand.
  dependencies: null,
  // Judged below, together with the steps.
  container: null,
  workerSelector: (selector) => selector !== 'local' && 'worker_selector',
  approval: null,
};

// Outputs are held in memory and stored in one piece.
const maxOutputBytes = 16_777_216;

const dagChecks: Checks<Dag> = {
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
  secrets: unavailableSecrets,
  workingDir: null,
  shell: null,
  // When runs start, how many wait and how long they are retained makes no difference to a run that was started.
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
  retryPolicy: null,
  preconditions: null,
  handlers: (handlers) =>
    Object.entries(handlers).flatMap(([kind, step]) =>
      check(step, stepChecks).map((part) => `handler_on.${kind}: ${part}`),
    ),
  inheritedHandlers: null,
  mailOn: null,
  // Only used by what is refused: mails, container and actions.
  smtp: null,
  errorMail: null,
  infoMail: null,
  waitMail: null,
  registryAuths: null,
  // Judged below, together with the steps.
  ssh: null,
  s3: null,
  redis: null,
  kubernetes: null,
  llm: null,
  logDir: null,
  logOutput: null,
  maxOutputSize: (bytes) => bytes > maxOutputBytes && `max_output_size above ${maxOutputBytes}`,
  artifacts: null,
  // Judged below, together with the steps.
  container: null,
  tools: null,
  // A warning of the spec says that they are not applied.
  resources: null,
  workerSelector: (selector) => selector !== 'local' && 'worker_selector',
  otel: null,
};

/**
 * What of a valid DAG the engine does not support yet, a phrase each: `step "x": worker_selector`, `DAG: otel`. Empty
 * when it may run: nothing that changes what a run does is passed over.
 */
export function unsupportedParts(dag: Dag): readonly string[] {
  const dagParts = check(dag, dagChecks).map((part) => `DAG: ${part}`);
  return [...dagParts, ...unusedSsh(dag), ...dag.steps.flatMap(unsupportedStepParts), ...containerParts(dag)];
}

function unsupportedStepParts(step: Step): readonly string[] {
  return check(step, stepChecks).map((part) => `step "${step.name}": ${part}`);
}

// Older files mean by it that every step runs on that host: one of them must not run here instead.
function unusedSsh(dag: Dag): readonly string[] {
  const isUsed = flattenSteps(dag).some(
    ({ run }) => run.kind === 'action' && findAction(run.action)?.dagDefaults === 'ssh',
  );
  return dag.ssh === undefined || isUsed ? [] : ['DAG: ssh without a step that calls ssh.run or sftp.*'];
}

function check<Whole extends object>(whole: Whole, checks: Checks<Whole>): readonly string[] {
  // The keys of a table are those of what it judges, which Object.keys cannot express.
  return (Object.keys(checks) as (keyof Required<Whole>)[]).flatMap((key) => {
    const value = whole[key];
    const found = value === undefined || value === null ? false : checks[key]?.(value);
    return found === false || found === undefined ? [] : found;
  });
}
