import type {
  DagRunDetails as WireDetails,
  DagRunSummary as WireSummary,
  Node as WireNode,
} from '@weir/workflow-contract';
import { nodeStatusNumber, runStatusNumber, type NodeStatus } from '@weir/workflow-engine';
import { isDagName, type Dag, type Step } from '@weir/workflow-spec';
import type { DagRunStep, DagRunSummary } from './dag-run';
import { rfc3339 } from './rfc3339';
import { presentStep } from './step-presenter';

export interface RunWithSteps {
  readonly run: DagRunSummary;
  readonly steps: readonly DagRunStep[];
  /** The steps of the spec that the run was made from. */
  readonly specSteps: readonly Step[];
  /** Whether the file it came from is still in the DAGs folder. */
  readonly hasSourceFile: boolean;
}

export function presentRunSummary(run: DagRunSummary): WireSummary {
  return {
    dagRunId: run.dagRunId,
    name: run.dagName,
    ...(run.workspace === null ? {} : { workspace: run.workspace }),
    status: runStatusNumber(run.status),
    statusLabel: run.status,
    ...(run.queuedAt === null ? {} : { queuedAt: rfc3339(run.queuedAt) }),
    autoRetryCount: 0,
    autoRetryLimit: null,
    ...(run.scheduleTime === null ? {} : { scheduleTime: rfc3339(run.scheduleTime) }),
    startedAt: timeOrEmpty(run.startedAt),
    finishedAt: timeOrEmpty(run.finishedAt),
    artifactsAvailable: false,
    ...(run.params === '' ? {} : { params: run.params }),
    ...(run.startedAt === null ? {} : { workerId: 'local' }),
    ...(run.triggerType === 'unknown' ? {} : { triggerType: run.triggerType }),
    labels: [...run.labels],
    tags: [...run.labels],
  };
}

export function presentRunDetails({ run, steps, specSteps, hasSourceFile }: RunWithSteps): WireDetails {
  const specStepOf = new Map(specSteps.map((step) => [step.name, step]));
  return {
    ...presentRunSummary(run),
    rootDAGRunName: run.dagName,
    rootDAGRunId: run.dagRunId,
    log: run.logFile,
    nodes: steps.map((step) => presentNode(step, specStepOf.get(step.name))),
    preconditions: [],
    ...(hasSourceFile && run.fileName !== null && isDagName(run.fileName)
      ? { specFromFile: true, sourceFileName: run.fileName }
      : {}),
    ...(run.error === null ? {} : { error: run.error }),
  };
}

/** What stands in the place of the latest run of a DAG that never ran. */
export function presentMissingRun(dag: Pick<Dag, 'name' | 'labels' | 'workspace'>): WireSummary {
  return {
    dagRunId: '',
    name: dag.name,
    ...(dag.workspace === undefined ? {} : { workspace: dag.workspace }),
    status: runStatusNumber('not_started'),
    statusLabel: 'not_started',
    autoRetryCount: 0,
    autoRetryLimit: null,
    startedAt: '',
    finishedAt: '',
    artifactsAvailable: false,
    labels: [...dag.labels],
    tags: [...dag.labels],
  };
}

export function presentMissingRunDetails(dag: Dag): WireDetails {
  return {
    ...presentMissingRun(dag),
    rootDAGRunName: dag.name,
    rootDAGRunId: '',
    log: '',
    nodes: dag.steps.map((step) => ({ ...nodeOf(presentStep(step), 'not_started'), stdout: '', stderr: '' })),
    preconditions: [],
  };
}

function presentNode(step: DagRunStep, specStep: Step | undefined): WireNode {
  return {
    ...nodeOf(specStep === undefined ? { name: step.name } : presentStep(specStep), step.status),
    stdout: step.stdoutFile,
    stderr: step.stderrFile,
    startedAt: timeOrEmpty(step.startedAt),
    finishedAt: timeOrEmpty(step.finishedAt),
    retryCount: step.retryCount,
    doneCount: step.doneCount,
    ...(step.error === null ? {} : { error: step.error }),
  };
}

function nodeOf(step: WireNode['step'], status: NodeStatus): Omit<WireNode, 'stdout' | 'stderr'> {
  return {
    step,
    startedAt: '',
    finishedAt: '',
    status: nodeStatusNumber(status),
    statusLabel: status,
    retryCount: 0,
    doneCount: 0,
    subRuns: [],
    subRunsRepeated: [],
  };
}

function timeOrEmpty(time: Date | null): string {
  return time === null ? '' : rfc3339(time);
}
