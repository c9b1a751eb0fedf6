import type {
  DagRunDetails as WireDetails,
  DagRunSummary as WireSummary,
  SubDagRunDetail,
} from '@weir/workflow-contract/schemas';
import {
  addUpModelUse,
  runStatus,
  type AgentMemo,
  type DagRunStep,
  type DagRunSummary,
} from '@weir/workflow-engine/model';
import { isDagName, type Dag, type HandlerKind } from '@weir/workflow-spec';
import { toPendingNode, presentNode, timeOrEmpty } from './node-presenter';
import { presentModelUse, type ModelPrice } from './model-prices';
import { rfc3339 } from './rfc3339';
import { presentStep } from './step-presenter';

export interface RunWithSteps {
  readonly run: DagRunSummary;
  /** The steps of every scope. */
  readonly nodes: readonly DagRunStep[];
  readonly dag: Pick<Dag, 'steps' | 'handlers'>;
  /** Whether the file of the run is still in the DAGs folder. */
  readonly hasSourceFile: boolean;
  readonly artifactsAvailable: boolean;
  /** The root run; missing when the run is a root run itself. */
  readonly root?: DagRunSummary | undefined;
  readonly parent?: DagRunSummary | undefined;
  /** The child runs. */
  readonly children: readonly DagRunSummary[];
  /** Of the models, where one was asked. */
  readonly prices: readonly ModelPrice[];
  /** What the model of an agent has decided; only read for one run. */
  readonly agent?: AgentMemo | undefined;
}

const handlerFields = {
  init: 'onInit',
  success: 'onSuccess',
  failure: 'onFailure',
  abort: 'onAbort',
  wait: 'onWait',
  exit: 'onExit',
} as const satisfies Record<HandlerKind, keyof WireDetails>;

export function presentRunSummary(run: DagRunSummary, artifactsAvailable: boolean): WireSummary {
  return {
    dagRunId: run.dagRunId,
    name: run.dagName,
    ...(run.workspace === null ? {} : { workspace: run.workspace }),
    status: runStatus.toNumber(run.status),
    statusLabel: run.status,
    createdAt: rfc3339(run.createdAt),
    ...(run.profile === null ? {} : { profile: run.profile }),
    ...(run.queueName === null ? {} : { queue: run.queueName }),
    ...(run.stopRequestedAt === null || runStatus.isTerminal(run.status) ? {} : { stopRequested: true }),
    ...(run.queuedAt === null ? {} : { queuedAt: rfc3339(run.queuedAt) }),
    autoRetryCount: run.autoRetryCount,
    autoRetryLimit: run.autoRetryLimit,
    ...(run.scheduleTime === null ? {} : { scheduleTime: rfc3339(run.scheduleTime) }),
    startedAt: timeOrEmpty(run.startedAt),
    finishedAt: timeOrEmpty(run.finishedAt),
    artifactsAvailable,
    ...(run.params === '' ? {} : { params: run.params }),
    ...(run.startedAt === null ? {} : { workerId: 'local' }),
    ...(run.triggerType === 'unknown' ? {} : { triggerType: run.triggerType }),
    ...(run.startedBy === null ? {} : { startedBy: run.startedBy }),
    ...(run.error === null ? {} : { error: run.error }),
    labels: [...run.labels],
    tags: [...run.labels],
  };
}

export function presentRunDetails(details: RunWithSteps): WireDetails {
  const { run, nodes, dag, hasSourceFile, artifactsAvailable, root = run, parent, prices } = details;
  const specSteps = new Map(dag.steps.map((step) => [step.name, step]));
  const steps = nodes.filter(({ scope }) => scope === '');
  const modelUse = addUpModelUse(nodes.flatMap(({ modelUse: used }) => used ?? []));
  return {
    ...presentRunSummary(run, artifactsAvailable),
    rootDAGRunName: root.dagName,
    rootDAGRunId: root.dagRunId,
    ...(parent === undefined ? {} : { parentDAGRunName: parent.dagName, parentDAGRunId: parent.dagRunId }),
    log: run.logFile,
    nodes: steps.map((step) => presentNode(step, specSteps.get(step.name), details)),
    ...(modelUse.length === 0 ? {} : { modelUse: presentModelUse(modelUse, prices) }),
    ...presentHandlers(details),
    preconditions: [],
    ...(hasSourceFile && run.fileName !== null && isDagName(run.fileName)
      ? { specFromFile: true, sourceFileName: run.fileName }
      : {}),
  };
}

function presentHandlers({ nodes, dag, prices }: RunWithSteps): Partial<WireDetails> {
  return Object.fromEntries(
    Object.entries(handlerFields).flatMap(([kind, field]) => {
      const row = nodes.find(({ scope }) => scope === `on/${kind}`);
      return row === undefined
        ? []
        : [[field, presentNode(row, dag.handlers?.[kind as HandlerKind], { children: [], prices })]];
    }),
  );
}

export function presentSubRun(run: DagRunSummary): SubDagRunDetail {
  return {
    dagRunId: run.dagRunId,
    dagName: run.dagName,
    ...(run.params === '' ? {} : { params: run.params }),
    status: runStatus.toNumber(run.status),
    statusLabel: run.status,
    startedAt: timeOrEmpty(run.startedAt),
    finishedAt: timeOrEmpty(run.finishedAt),
  };
}

/** Represents the latest run of a DAG that never ran. */
export function presentMissingRun(dag: Pick<Dag, 'name' | 'labels' | 'workspace'>): WireSummary {
  return {
    dagRunId: '',
    name: dag.name,
    ...(dag.workspace === undefined ? {} : { workspace: dag.workspace }),
    status: runStatus.toNumber('not_started'),
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
    nodes: dag.steps.map((step) => ({ ...toPendingNode(presentStep(step), 'not_started'), stdout: '', stderr: '' })),
    preconditions: [],
  };
}
