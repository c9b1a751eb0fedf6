import type { DbTransaction } from '@weir/workflow-db';
import {
  attemptCauses,
  nodeStatus,
  runStatus,
  type AttemptBegin,
  type AttemptEnd,
  type RunAttempt,
} from '@weir/workflow-engine/model';
import { z } from 'zod';

/** The end of one execution of a run, and the start of the next one. */
export interface RecordedAttempt {
  readonly ended: AttemptEnd;
  readonly next: AttemptBegin;
}

type Tables = Pick<DbTransaction, 'dagRunAttempt'>;

const passed = nodeStatus.all.filter((status) => nodeStatus.isTerminal(status) && nodeStatus.isPassed(status));
const Cause = z.enum(attemptCauses);
const Status = z.enum([...runStatus.all, 'interrupted']);

/** Returns the rows of both; the first execution of a run has no row until it ends. */
export function nextAttempts(
  last: RunAttempt | undefined,
  { ended: { startedAt, ...ended }, next }: RecordedAttempt,
): { readonly ended: RunAttempt; readonly begun: AttemptBegin & Pick<RunAttempt, 'number'> } {
  const executed = last ?? { number: 1, attempt: 1, cause: 'start', reusedSteps: 0, startedAt: null };
  return {
    ended: { ...executed, startedAt: executed.startedAt ?? startedAt, ended },
    begun: { ...next, number: executed.number + 1 },
  };
}

/** Must be called in the transaction that changes the run, which is locked. */
export async function recordAttempt(tables: Tables, runId: string, recorded: RecordedAttempt): Promise<void> {
  const [last] = await listAttempts(tables, runId, 1);
  const { ended, begun } = nextAttempts(last, recorded);
  const { ended: end, ...begin } = ended;
  const row = { ...begin, ...end };
  const where = { runId_number: { runId, number: row.number } };
  await tables.dagRunAttempt.upsert({ where, create: { runId, ...row }, update: row });
  await tables.dagRunAttempt.create({ data: { runId, ...begun } });
}

/** Counts the passed steps of a run, and checks whether any of them passed since its present execution began. */
export async function readProgress(
  tables: Pick<DbTransaction, 'dagRunAttempt' | 'dagRunStep'>,
  runId: string,
): Promise<{ readonly reusedSteps: number; readonly hasProgressed: boolean }> {
  const reusedSteps = await tables.dagRunStep.count({ where: { runId, scope: '', status: { in: passed } } });
  const [last] = await listAttempts(tables, runId, 1);
  return { reusedSteps, hasProgressed: reusedSteps > (last?.reusedSteps ?? 0) };
}

/** A run whose worker no longer executes it. */
export interface LostRun extends Pick<AttemptEnd, 'startedAt' | 'ownerId'>, Pick<AttemptBegin, 'attempt'> {
  readonly id: string;
  /** The worker that claimed it. */
  readonly claimedBy: string;
}

export function toTakeOver(
  { startedAt, ownerId, claimedBy, attempt }: LostRun,
  { at, reusedSteps }: { readonly at: Date; readonly reusedSteps: number },
): RecordedAttempt {
  const cause = ownerId === null ? 'restart' : 'take_over';
  const end = { status: 'interrupted', finishedAt: at, exitCode: null, error: null } as const;
  return {
    ended: { ...end, startedAt, ownerId: claimedBy },
    next: { attempt, cause, reusedSteps, startedAt: at },
  };
}

/** Lists the newest attempts, in their order. */
export async function listAttempts(
  { dagRunAttempt }: Tables,
  runId: string,
  limit: number,
): Promise<readonly RunAttempt[]> {
  const rows = await dagRunAttempt.findMany({ where: { runId }, orderBy: { number: 'desc' }, take: limit });
  return rows.toReversed().map(({ number, attempt, cause, reusedSteps, startedAt, status, ...end }) => {
    const { finishedAt, exitCode, error, ownerId } = end;
    return {
      number,
      attempt,
      reusedSteps,
      startedAt,
      cause: Cause.parse(cause),
      ...(status === null ? {} : { ended: { status: Status.parse(status), finishedAt, exitCode, error, ownerId } }),
    };
  });
}
