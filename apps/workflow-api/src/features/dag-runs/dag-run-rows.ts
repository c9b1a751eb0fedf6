import { isNodeStatus, isRunStatus } from '@weir/workflow-engine';
import { AppError } from '@weir/errors';
import type { DagRun as DagRunRow, DagRunStep as DagRunStepRow, Prisma } from '@weir/workflow-db';
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
} as const satisfies Prisma.DagRunSelect;

type SummaryRow = Pick<DagRunRow, keyof typeof summaryColumns>;

const Labels = z.array(z.string());
const Params = z.array(z.object({ name: z.string(), value: z.string() }));
const Trigger = z.enum(triggerTypes);

export function summaryFromRow(row: SummaryRow): DagRunSummary {
  const { id, status, labels, triggerType } = row;
  if (!isRunStatus(status)) throw rowUnreadable('run', id);
  return summaryOf({ ...row, status, labels: Labels.parse(labels), triggerType: Trigger.parse(triggerType) });
}

export function runFromRow(row: DagRunRow): DagRun {
  const { specText, specHash, paramsResolved } = row;
  return { ...summaryFromRow(row), specText, specHash, resolvedParams: Params.parse(paramsResolved) };
}

export function runToRow({ labels, resolvedParams, ...run }: DagRun): Prisma.DagRunCreateInput {
  return { ...run, labels: [...labels], paramsResolved: resolvedParams.map(({ name, value }) => ({ name, value })) };
}

export function stepFromRow({ runId, ...row }: DagRunStepRow): DagRunStep {
  const { status, ...rest } = row;
  if (!isNodeStatus(status)) throw rowUnreadable('step of the run', runId);
  return { ...rest, status };
}

function rowUnreadable(what: string, id: string): AppError {
  return new AppError('internal', `The ${what} ${id} is stored with a status that is not known.`);
}
