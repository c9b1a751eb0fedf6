import { isNodeStatus, isRunStatus } from '@weir/workflow-engine';
import { AppError } from '@weir/errors';
import type { DagRun as DagRunRow, DagRunStep as DagRunStepRow, Prisma } from '@weir/workflow-db';
import type { ResolvedParam } from '@weir/workflow-spec';
import { z } from 'zod';
import { summaryOf, triggerTypes, type DagRun, type DagRunStep, type DagRunSummary } from './dag-run';

/** Everything but the spec, which may be a megabyte a row. */
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
} as const satisfies Prisma.DagRunSelect;

type SummaryRow = Pick<DagRunRow, keyof typeof summaryColumns>;

const Texts = z.array(z.string());
const Params = z.array(z.object({ name: z.string(), value: z.string(), undeclared: z.boolean().optional() }));
const Trigger = z.enum(triggerTypes);

export function summaryFromRow(row: SummaryRow): DagRunSummary {
  const { id, status, labels, triggerType } = row;
  if (!isRunStatus(status)) throw rowUnreadable('run', id);
  return summaryOf({ ...row, status, labels: Texts.parse(labels), triggerType: Trigger.parse(triggerType) });
}

export function runFromRow(row: DagRunRow): DagRun {
  const { specText, specHash, baseTexts, paramsResolved } = row;
  return {
    ...summaryFromRow(row),
    specText,
    specHash,
    baseTexts: Texts.parse(baseTexts ?? []),
    resolvedParams: paramsFromRow(paramsResolved),
  };
}

export function runToRow({ labels, baseTexts, resolvedParams, ...run }: DagRun): Prisma.DagRunCreateInput {
  return {
    ...run,
    labels: [...labels],
    ...(baseTexts.length === 0 ? {} : { baseTexts: [...baseTexts] }),
    paramsResolved: paramsToRow(resolvedParams),
  };
}

export function paramsToRow(params: readonly ResolvedParam[]): Prisma.InputJsonValue {
  return params.map((param) => ({ ...param }));
}

function paramsFromRow(stored: unknown): readonly ResolvedParam[] {
  return Params.parse(stored).map(({ name, value, undeclared }) =>
    undeclared === true ? { name, value, undeclared } : { name, value },
  );
}

export function stepFromRow({ runId, ...row }: Omit<DagRunStepRow, 'outputs'>): DagRunStep {
  const { status, ...rest } = row;
  if (!isNodeStatus(status)) throw rowUnreadable('step of the run', runId);
  return { ...rest, status };
}

function rowUnreadable(what: string, id: string): AppError {
  return new AppError('internal', `The ${what} ${id} is stored with a status that is not known.`);
}
