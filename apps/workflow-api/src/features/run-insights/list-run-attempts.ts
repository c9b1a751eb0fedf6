import type { RunAttempt as WireAttempt, RunAttemptsResponse } from '@weir/workflow-contract/schemas';
import { exitCodeOf, type DagRun, type RunAttempt } from '@weir/workflow-engine';
import { rfc3339, type DagRunRepository } from '../runs';

const maxAttempts = 200;

/** Lists the executions of a run; the end of the last one is the end of the run. */
export async function listRunAttempts(
  runs: Pick<DagRunRepository, 'listAttempts' | 'listAllSteps'>,
  run: DagRun,
): Promise<RunAttemptsResponse> {
  const [stored, steps] = await Promise.all([runs.listAttempts(run.id, maxAttempts), runs.listAllSteps(run.id)]);
  const { status, finishedAt, error, ownerId } = run;
  const end = { status, finishedAt, error, ownerId, exitCode: exitCodeOf(steps) };
  const attempts = stored.length === 0 ? [firstOf(run)] : stored;
  return {
    attempts: attempts.map((attempt) =>
      present({ ...attempt, startedAt: attempt.startedAt ?? run.startedAt, ended: attempt.ended ?? end }),
    ),
    total: attempts.at(-1)?.number ?? 0,
  };
}

/** Describes a run that was executed once, or not yet. */
function firstOf({ attempt, startedAt }: DagRun): RunAttempt {
  return { number: 1, attempt, cause: 'start', reusedSteps: 0, startedAt };
}

function present({ number, attempt, cause, reusedSteps, startedAt, ended }: Required<RunAttempt>): WireAttempt {
  const { status, finishedAt, exitCode, error, ownerId } = ended;
  return {
    number,
    attemptId: `attempt-${attempt}`,
    cause,
    status,
    startedAt: startedAt === null ? '' : rfc3339(startedAt),
    finishedAt: finishedAt === null ? '' : rfc3339(finishedAt),
    ...(exitCode === null ? {} : { exitCode }),
    ...(error === null ? {} : { error }),
    ...(ownerId === null ? {} : { worker: ownerId }),
    reusedSteps,
  };
}
