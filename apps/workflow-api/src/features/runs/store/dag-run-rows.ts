import {
  actorKinds,
  buildDecisions,
  nodeStatus,
  runStatus,
  triggerTypes,
  type DagRun,
  type DagRunStep,
  type DagRunSummary,
  type ModelUse,
  type StepDecisions,
  type StepOutputs,
} from '@weir/workflow-engine/model';
import { AppError } from '@weir/foundation';
import type { DagRun as DagRunRow, DagRunStep as DagRunStepRow, Prisma } from '@weir/workflow-db';
import type { ResolvedParam } from '@weir/workflow-spec';
import { z } from 'zod';
import { toSummary } from './run-summary';
import { outputsToRow } from './step-outputs-row';

/** Selects everything but the spec, which may be a megabyte per row. */
export const summaryColumns = {
  id: true,
  dagName: true,
  dagRunId: true,
  fileName: true,
  status: true,
  params: true,
  labels: true,
  workspace: true,
  triggerType: true,
  startedBy: true,
  queuedAt: true,
  startedAt: true,
  finishedAt: true,
  createdAt: true,
  scheduleTime: true,
  logFile: true,
  workDir: true,
  error: true,
  ownerId: true,
  stopRequestedAt: true,
  queueName: true,
  depth: true,
  parentId: true,
  parentNode: true,
  rootId: true,
  fencingToken: true,
  attempt: true,
  autoRetryCount: true,
  autoRetryLimit: true,
  retryAt: true,
  priority: true,
  artifactsDir: true,
  workerSelector: true,
  profile: true,
} as const satisfies Prisma.DagRunSelect;

type SummaryRow = Pick<DagRunRow, keyof typeof summaryColumns>;

const Texts = z.array(z.string());
const Params = z.array(z.object({ name: z.string(), value: z.string(), undeclared: z.boolean().optional() }));
const Layers: z.ZodType<DagRun['profileLayers']> = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    isDefault: z.boolean(),
    variables: z.record(z.string(), z.string()),
    secrets: Texts,
  }),
);
const Trigger = z.enum(triggerTypes);
const Actor = z.object({ kind: z.enum(actorKinds), name: z.string().exactOptional(), id: z.string().exactOptional() });
const PushBackRow = z.object({
  iteration: z.number(),
  by: z.string().exactOptional(),
  at: z.string(),
  inputs: z.record(z.string(), z.string()),
  comment: z.string().exactOptional(),
});
export const Decisions: z.ZodType<StepDecisions> = z.object({
  approvedAt: z.string().exactOptional(),
  approvedBy: z.string().exactOptional(),
  inputs: z.record(z.string(), z.json()).exactOptional(),
  rejectedAt: z.string().exactOptional(),
  rejectedBy: z.string().exactOptional(),
  reason: z.string().exactOptional(),
  pushBacks: z.array(PushBackRow).exactOptional(),
  bypass: z.object({ by: z.string(), reason: z.string() }).exactOptional(),
});

const BuildColumn = z.enum(buildDecisions).nullable();

export const ModelUses: z.ZodType<readonly ModelUse[]> = z.array(
  z.object({
    provider: z.string(),
    model: z.string(),
    hasOwnAddress: z.boolean(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    cachedTokens: z.int(),
  }),
);
const ModelUseColumn = ModelUses.nullable();

export function summaryFromRow(row: SummaryRow): DagRunSummary {
  const { id, status, labels, triggerType, startedBy } = row;
  if (!runStatus.is(status)) throw rowUnreadable('run', id);
  return toSummary({
    ...row,
    status,
    labels: Texts.parse(labels),
    triggerType: Trigger.parse(triggerType),
    startedBy: startedBy === null ? null : Actor.parse(startedBy),
  });
}

export function runFromRow(row: DagRunRow): DagRun {
  const { specText, specHash, baseTexts, paramsResolved, fileVariables, profileLayers } = row;
  return {
    ...summaryFromRow(row),
    rebuild: row.rebuild,
    specText,
    specHash,
    baseTexts: Texts.parse(baseTexts ?? []),
    resolvedParams: paramsFromRow(paramsResolved),
    fileVariables: Texts.parse(fileVariables ?? []),
    profileLayers: Layers.parse(profileLayers ?? []),
  };
}

export function runToRow({
  labels,
  startedBy,
  baseTexts,
  resolvedParams,
  fileVariables,
  profileLayers,
  ...run
}: DagRun): Prisma.DagRunUncheckedCreateInput {
  return {
    ...run,
    labels: [...labels],
    ...(startedBy === null ? {} : { startedBy: { ...startedBy } }),
    ...(baseTexts.length === 0 ? {} : { baseTexts: [...baseTexts] }),
    ...(fileVariables.length === 0 ? {} : { fileVariables: [...fileVariables] }),
    ...(profileLayers.length === 0 ? {} : { profileLayers: layersToRow(profileLayers) }),
    paramsResolved: paramsToRow(resolvedParams),
  };
}

function layersToRow(layers: DagRun['profileLayers']): Prisma.InputJsonValue {
  return layers.map(({ variables, secrets, ...layer }) => ({
    ...layer,
    variables: { ...variables },
    secrets: [...secrets],
  }));
}

export function paramsToRow(params: readonly ResolvedParam[]): Prisma.InputJsonValue {
  return params.map((param) => ({ ...param }));
}

function paramsFromRow(stored: unknown): readonly ResolvedParam[] {
  return Params.parse(stored).map(({ name, value, undeclared }) =>
    undeclared === true ? { name, value, undeclared } : { name, value },
  );
}

export function stepFromRow({ runId, ...row }: Omit<DagRunStepRow, 'outputs' | 'memo'>): DagRunStep {
  const { status, gate, build, modelUse, ...rest } = row;
  if (!nodeStatus.is(status)) throw rowUnreadable('step of the run', runId);
  return {
    ...rest,
    status,
    build: BuildColumn.parse(build),
    decisions: gate === null ? null : Decisions.parse(gate),
    modelUse: ModelUseColumn.parse(modelUse),
  };
}

export function modelUseToRow(uses: NonNullable<DagRunStep['modelUse']>): Prisma.InputJsonValue {
  return uses.map((use) => ({ ...use }));
}

/** Converts a step that is inserted. */
export function newStepToRow(
  { decisions, modelUse, ...step }: DagRunStep,
  outputs?: StepOutputs,
): Prisma.DagRunStepCreateManyRunInput {
  return {
    ...step,
    ...(decisions === null ? {} : { gate: decisionsToRow(decisions) }),
    ...(modelUse === null ? {} : { modelUse: modelUseToRow(modelUse) }),
    ...(outputs === undefined ? {} : { outputs: outputsToRow(outputs) }),
  };
}

export function decisionsToRow(decisions: StepDecisions): Prisma.InputJsonValue {
  // The type is plain JSON; the round trip through a string drops undefined fields.
  return JSON.parse(JSON.stringify(decisions)) as Prisma.InputJsonObject;
}

export function rowUnreadable(what: string, id: string): AppError {
  return new AppError('internal', `The ${what} ${id} is stored with an unknown status.`);
}
