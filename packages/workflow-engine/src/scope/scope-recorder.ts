import { AppError, isAppError } from '@weir/errors';
import { isPassedNode, type RunStatus } from '../statuses';
import type { RunRecorder, StepChange, StepOutcome, StepStarting } from './step-ports';
import type { DagRun, Lease, RunEnd, StepPatch, StepScope } from '../run-model/dag-run';
import type { RunStore } from '../ports/run-store';
import type { RunLog } from '../logs/run-log';

export interface RunRecorderOptions {
  readonly runs: Pick<RunStore, 'record'>;
  readonly run: DagRun;
  readonly lease: Lease;
  /** The steps whose changes are recorded. */
  readonly scope: StepScope;
  /** The end of the run that follows when these steps end so; nothing when more is to be done first. */
  readonly toRunEnd: (status: RunStatus) => RunEnd | undefined;
  readonly log: RunLog;
}

export interface EndingRunRecorder extends RunRecorder {
  /** How the run was recorded to end; nothing while it goes on. */
  end(): RunEnd | undefined;
}

const leaseLostReason = 'run_lost';

/** Another runner has taken this run for lost and settled it: nothing of it may be recorded any more. */
export function isLeaseLost(error: unknown): boolean {
  return error instanceof AppError && error.reason === leaseLostReason;
}

/** What of a run could not be stored or read: no failure of the step, which is for the next owner of the run. */
export function isStoreFailure(error: unknown): boolean {
  return !isAppError(error) || isLeaseLost(error);
}

export function leaseLost(): AppError {
  return new AppError('conflict', 'The run belongs to another runner now.', { reason: leaseLostReason });
}

/**
 * Stores what happens to the steps of one run. The changes that end the last step and the end of the run are one
 * transaction, so no crash leaves a run that is running although all its steps have ended.
 */
export function createRunRecorder(options: RunRecorderOptions): EndingRunRecorder {
  const { runs, run, lease, scope, toRunEnd, log } = options;
  let ended: RunEnd | undefined;
  return {
    end: () => ended,
    stepsChanged: async (changes, status) => {
      const end = status === undefined ? undefined : toRunEnd(status);
      const patches = toPatches(changes).map((patch) => (scope === '' ? patch : { ...patch, scope }));
      const isStored = await runs.record(run.id, lease, patches, end);
      if (!isStored) throw leaseLost();
      ended = end;
      for (const change of changes) writeLine(log, change, scope);
    },
  };
}

/** One patch a step, however many changes it had. */
function toPatches(changes: readonly StepChange[]): readonly StepPatch[] {
  const patches = new Map<number, StepPatch>();
  for (const change of changes) {
    patches.set(change.index, { ...patches.get(change.index), ...toPatch(change) });
  }
  return [...patches.values()];
}

function toPatch(change: StepChange): StepPatch {
  const { index: position } = change;
  switch (change.kind) {
    case 'starting':
      return { position, status: 'running', retryCount: change.retryCount, ...toStartFields(change) };
    case 'process_started':
      return { position, pid: change.process.pid, processStartedAt: change.process.startedAt };
    case 'retrying':
      return { position, status: 'retrying', ...toRunEnd(change), ...noProcess };
    case 'iteration_ended':
      return { position, doneCount: change.doneCount, ...toRunEnd(change), ...noProcess };
    case 'waiting':
      return { position, status: 'waiting', ...toRunEnd(change), ...noProcess, ...toOutputsPatch(change) };
    case 'ended': {
      const done = change.doneCount === undefined ? {} : { doneCount: change.doneCount };
      const memo = change.continues && !isPassedNode(change.outcome.status) ? { memo: { continues: true } } : {};
      const { status } = change.outcome;
      return {
        position,
        status,
        finishedAt: change.at,
        ...toRunEnd(change),
        ...done,
        ...toOutputsPatch(change),
        ...memo,
      };
    }
    case 'not_started':
      return { position, status: change.status, finishedAt: change.at, error: change.error };
  }
}

function toOutputsPatch({ outcome: { outputs } }: { readonly outcome: StepOutcome }): Pick<StepPatch, 'outputs'> {
  return outputs === undefined ? {} : { outputs };
}

// Between two attempts there is no process that a recovery would have to end.
const noProcess = { pid: null, processStartedAt: null };

/** The time of a step begins with its first attempt; a later one takes back what the one before left. */
function toStartFields({ attempt, at }: StepStarting): Partial<StepPatch> {
  return attempt === 1 ? { startedAt: at } : { exitCode: null, error: null, ...noProcess };
}

function toRunEnd({ outcome }: { readonly outcome: StepOutcome }): Pick<StepPatch, 'exitCode' | 'error'> {
  const { exitCode = null, error = null } = outcome;
  return { exitCode, error };
}

const logMessages = {
  ended: 'step ended',
  waiting: 'step waits for a person',
  retrying: 'attempt failed',
  iteration_ended: 'iteration ended',
} as const;

function writeLine(log: RunLog, change: StepChange, scope: StepScope): void {
  const { kind } = change;
  const step = scope === '' ? change.stepName : `${scope}/${change.stepName}`;
  switch (kind) {
    case 'starting':
      log.write('step started', { step, ...laterAttempt(change) });
      break;
    case 'process_started':
      log.write('process started', { step, pid: change.process.pid });
      break;
    case 'not_started':
      log.write('step not started', { step, status: change.status, reason: change.error });
      break;
    default: {
      const { status, exitCode, signal, error } = change.outcome;
      const message = logMessages[kind];
      const next = 'afterMs' in change ? { nextAfterMs: change.afterMs } : {};
      log.write(message, { step, ...laterAttempt(change), status, exitCode, signal, error, ...next });
    }
  }
}

/** Most steps have one attempt, and nothing is to be said of it. */
function laterAttempt({ attempt }: { readonly attempt: number }): { readonly attempt?: number } {
  return attempt === 1 ? {} : { attempt };
}
