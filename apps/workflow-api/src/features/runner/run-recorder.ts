import { AppError } from '@weir/errors';
import {
  isFineNode,
  isTerminalNode,
  type NodeStatus,
  type RunRecorder,
  type RunStatus,
  type StepChange,
} from '@weir/workflow-engine';
import type { Clock } from '../../adapters/clock';
import type { DagRun, DagRunRepository, DagRunStep, RunEnd, StepPatch } from '../dag-runs';
import type { RunLog } from './run-log';

export interface RunRecorderOptions {
  readonly runs: Pick<DagRunRepository, 'record'>;
  readonly run: DagRun;
  readonly steps: readonly DagRunStep[];
  readonly ownerId: string;
  readonly clock: Clock;
  readonly log: RunLog;
  /** Asks for the end of the run. */
  readonly signal: AbortSignal;
}

export interface EndingRunRecorder extends RunRecorder {
  /** How the run was recorded to end; nothing while it goes on. */
  end(): RunEnd | undefined;
}

const lostReason = 'run_lost';

/** Another runner has taken this run for lost and settled it: nothing of it may be recorded any more. */
export function isRunLost(error: unknown): boolean {
  return error instanceof AppError && error.reason === lostReason;
}

export function runLost(): AppError {
  return new AppError('conflict', 'The run belongs to another runner now.', { reason: lostReason });
}

/**
 * Stores what happens to the steps of one run. The changes that end the last step and the end of the run are one
 * transaction, so no crash leaves a run that is running although all its steps have ended.
 */
export function createRunRecorder(options: RunRecorderOptions): EndingRunRecorder {
  const { runs, run, ownerId, clock, log, signal } = options;
  const statuses: NodeStatus[] = options.steps.map(({ status }) => status);
  let ended: RunEnd | undefined;
  return {
    end: () => ended,
    stepsChanged: async (changes) => {
      const patches = patchesOf(changes);
      for (const { position, status } of patches) if (status !== undefined) statuses[position] = status;
      const end = statuses.every(isTerminalNode)
        ? { status: endStatus(statuses, signal.aborted), finishedAt: clock.now(), error: null }
        : undefined;
      const isStored = await runs.record(run.id, ownerId, patches, end);
      if (!isStored) throw runLost();
      ended = end;
      for (const change of changes) writeLine(log, change);
    },
  };
}

/** What becomes of a run whose steps have all ended. A stop that came too late to change anything does not count. */
function endStatus(statuses: readonly NodeStatus[], isStopped: boolean): RunStatus {
  if (statuses.every(isFineNode)) return 'succeeded';
  return isStopped ? 'aborted' : 'failed';
}

/** One patch a step, however many changes it had. */
function patchesOf(changes: readonly StepChange[]): readonly StepPatch[] {
  const patches = new Map<number, StepPatch>();
  for (const change of changes) {
    patches.set(change.index, { ...patches.get(change.index), ...patchOf(change) });
  }
  return [...patches.values()];
}

function patchOf(change: StepChange): StepPatch {
  const { index: position } = change;
  switch (change.kind) {
    case 'starting':
      return { position, status: 'running', startedAt: change.at };
    case 'process_started':
      return { position, pid: change.process.pid, processStartedAt: change.process.startedAt };
    case 'ended': {
      const { status, exitCode = null, error = null } = change.outcome;
      return { position, status, finishedAt: change.at, exitCode, error };
    }
    case 'not_started':
      return { position, status: 'aborted', finishedAt: change.at, error: change.error };
  }
}

function writeLine(log: RunLog, change: StepChange): void {
  const step = change.stepName;
  switch (change.kind) {
    case 'starting':
      log.write('step started', { step });
      break;
    case 'process_started':
      log.write('process started', { step, pid: change.process.pid });
      break;
    case 'ended': {
      const { status, exitCode, signal, error } = change.outcome;
      log.write('step ended', { step, status, exitCode, signal, error });
      break;
    }
    case 'not_started':
      log.write('step not started', { step, reason: change.error });
      break;
  }
}
