import type { Dag as WireDag, DagDetails, DagEditorHints, DagFile, RecentRun } from '@weir/workflow-contract/schemas';
import type { Dag, ParamDef, Schedule } from '@weir/workflow-spec';
import { supportedKeys, type CustomStepTypeHint, type KeyDescription } from '@weir/workflow-spec/editor';
import { runStatus, type DagRunSummary } from '@weir/workflow-engine/model';
import { unknownWorkspace } from '../../dag-parser';
import { presentCondition, presentMissingRun, presentRunSummary, presentStep, rfc3339 } from '../runs';
import type { DagEntry, ListedDag } from './dag-entry';

export interface ListedEntry {
  readonly entry: DagEntry;
  readonly latestRun: DagRunSummary | undefined;
  readonly artifactsAvailable: boolean;
  readonly nextRun: Date | undefined;
  readonly isSuspended: boolean;
  /** The newest runs first; missing unless they were requested. */
  readonly recentRuns?: readonly DagRunSummary[];
}

export function presentDagFile(listed: ListedEntry): DagFile {
  const { entry, latestRun, artifactsAvailable, nextRun, isSuspended, recentRuns } = listed;
  return {
    fileName: entry.fileName,
    filePath: entry.filePath,
    dag: presentDag(entry.dag),
    latestDAGRun:
      latestRun === undefined ? presentMissingRun(entry.dag) : presentRunSummary(latestRun, artifactsAvailable),
    ...(recentRuns === undefined ? {} : { recentRuns: recentRuns.map(presentRecentRun) }),
    ...(nextRun === undefined ? {} : { nextRun: rfc3339(nextRun) }),
    suspended: isSuspended,
    errors: [...entry.errors],
  };
}

function presentRecentRun({ dagRunId, status, startedAt, finishedAt }: DagRunSummary): RecentRun {
  return {
    dagRunId,
    status: runStatus.toNumber(status),
    statusLabel: status,
    startedAt: startedAt === null ? '' : rfc3339(startedAt),
    finishedAt: finishedAt === null ? '' : rfc3339(finishedAt),
  };
}

export function presentDagDetails(dag: Dag, nextRun: Date | undefined): DagDetails {
  return {
    ...presentShared(dag),
    type: dag.type,
    ...(nextRun === undefined ? {} : { nextRun: rfc3339(nextRun) }),
    env: dag.env.map(({ name, value }) => `${name}=${value}`),
    steps: dag.steps.map(presentStep),
    preconditions: (dag.preconditions ?? []).map(presentCondition),
    ...(dag.maxActiveSteps === 0 ? {} : { maxActiveSteps: dag.maxActiveSteps }),
    ...presentRunSettings(dag),
    paramDefs: dag.params.map(presentParamDef),
  };
}

function presentRunSettings(dag: Dag): Partial<DagDetails> {
  const { handlers, logDir, artifacts, delaySec, histRetentionDays, queue, maxActiveRuns, runConfig } = dag;
  return {
    ...(handlers === undefined ? {} : { handlerOn: presentHandlers(handlers) }),
    ...(logDir === undefined ? {} : { logDir }),
    ...(artifacts === undefined ? {} : { artifacts: { ...artifacts } }),
    ...(delaySec === undefined || delaySec === 0 ? {} : { delay: delaySec }),
    ...(histRetentionDays === undefined ? {} : { histRetentionDays }),
    ...(queue === undefined ? {} : { queue }),
    ...(maxActiveRuns === undefined ? {} : { maxActiveRuns }),
    ...(runConfig === undefined ? {} : { runConfig: { ...runConfig } }),
  };
}

/** The answer has no fields for the handlers init and wait. */
function presentHandlers({ success, failure, abort, exit }: NonNullable<Dag['handlers']>): DagDetails['handlerOn'] {
  return {
    ...(failure === undefined ? {} : { failure: presentStep(failure) }),
    ...(success === undefined ? {} : { success: presentStep(success) }),
    ...(abort === undefined ? {} : { abort: presentStep(abort) }),
    ...(exit === undefined ? {} : { exit: presentStep(exit) }),
  };
}

export function presentEditorHints(inherited: readonly CustomStepTypeHint[]): DagEditorHints {
  const present = ({ key, description }: KeyDescription) => ({ name: key, description });
  return {
    inheritedCustomStepTypes: inherited.map(({ name, targetType, description, inputSchema }) => ({
      name,
      targetType,
      ...(description === undefined ? {} : { description }),
      inputSchema: { ...inputSchema },
    })),
    rootKeys: supportedKeys.root.map(present),
    stepKeys: supportedKeys.step.map(present),
  };
}

export function presentDag(dag: ListedDag): WireDag {
  return { ...presentShared(dag), ...presentWorkspace(dag) };
}

/** One that is not known has no name to show. */
export function presentWorkspace({ workspace }: Pick<ListedDag, 'workspace'>): Pick<WireDag, 'workspace'> {
  return workspace === undefined || workspace === unknownWorkspace ? {} : { workspace };
}

function presentShared({ name, description, group, labels, schedule, params, defaultParams }: ListedDag): WireDag {
  return {
    name,
    ...(group === undefined ? {} : { group }),
    ...(description === undefined ? {} : { description }),
    schedule: schedule.map(presentSchedule),
    params: params.map((param, index) => `${param.name ?? String(index + 1)}=${String(param.default ?? '')}`),
    ...(defaultParams === undefined ? {} : { defaultParams }),
    labels: [...labels],
    tags: [...labels],
  };
}

function presentSchedule(schedule: Schedule): NonNullable<WireDag['schedule']>[number] {
  const profile = schedule.profile === undefined ? {} : { profile: schedule.profile };
  if (schedule.kind === 'at') return { kind: 'at', at: rfc3339(new Date(schedule.at)), ...profile };
  const { kind, expression, calendar, businessDays } = schedule;
  return {
    kind,
    expression,
    ...profile,
    ...(calendar === undefined ? {} : { calendar }),
    ...(businessDays === undefined ? {} : { businessDays: [...businessDays] }),
  };
}

function presentParamDef({ enum: choices, ...definition }: ParamDef): NonNullable<DagDetails['paramDefs']>[number] {
  return { ...definition, ...(choices === undefined ? {} : { enum: [...choices] }) };
}
