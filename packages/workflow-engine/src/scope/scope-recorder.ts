import { getStoredStep, type ActiveScope } from './loop/active-scope';
import { toOwnerEvent } from '../model/state-machine/owner-transitions';
import type { RunLog } from '../host/logs/run-log';
import type { RunMailer } from '../host/mail/run-mailer';
import { commitOwned, type RunStore } from '../model/ports/run-store';
import { addUpModelUse, type ModelUse } from '../model/run-model/model-use';
import type { DagRun, Lease, RunEnd, StepPatch, StepScope } from '../model/run-model/dag-run';
import type { RunStatus } from '../model/statuses/run-status';
import { nodeStatus } from '../model/statuses/node-status';
import type { RunRecorder, StepChange, StepStarting } from '../model/steps/step-change';
import type { StepOutcome } from '../model/steps/step-outcome';

/** The recorder sends the changes of a run to these. */
export interface ScopeRecorderContext {
  readonly ports: { readonly runs: Pick<RunStore, 'commit'> };
  readonly run: Pick<DagRun, 'id'>;
  readonly lease: Lease;
  readonly log: RunLog;
  readonly mailer: Pick<RunMailer, 'stepsChanged'>;
  /** Releases the whole run, because what happened to a part of it cannot be stored. */
  readonly abandon: (error: unknown) => void;
}

/** Stores what happens to the steps of a scope. */
export interface ScopeRecorder extends RunRecorder {
  /** The end of the run that was stored with the last step, if any. */
  end(): RunEnd | undefined;
}

/**
 * Stores changes as they come. Those that end the last step and the end of the run are one transaction, so that no
 * crash leaves a run that is running although all its steps have ended.
 */
export function createScopeRecorder(context: ScopeRecorderContext, active: ActiveScope): ScopeRecorder {
  const { lease, log, mailer } = context;
  const { scope, outputs, toRunEnd } = active;
  let ended: RunEnd | undefined;
  const used = new Map<number, readonly ModelUse[]>();
  const countUse = (changes: readonly StepChange[]): void => {
    for (const change of changes) {
      if (!('outcome' in change) || change.outcome.modelUse === undefined) continue;
      const before = used.get(change.index) ?? getStoredStep(active, change.index).modelUse ?? [];
      used.set(change.index, addUpModelUse([...before, ...change.outcome.modelUse]));
    }
  };
  const store = async (changes: readonly StepChange[], status: RunStatus | undefined): Promise<void> => {
    const end = status === undefined ? undefined : toRunEnd?.(status);
    countUse(changes);
    const patches = toPatches(changes, used).map((patch) => (scope === '' ? patch : { ...patch, scope }));
    await commitOwned(context, toOwnerEvent(lease, patches, end));
    ended = end;
    for (const change of changes) writeLine(log, change, scope);
  };
  return {
    end: () => ended,
    stepsChanged: async (changes, status) => {
      try {
        await store(changes, status);
      } catch (error) {
        // In an iteration, too: the run must not continue as if that step had failed.
        context.abandon(error);
        throw error;
      }
      outputs.applyStored(changes);
      if (scope === '') mailer.stepsChanged(changes);
    },
  };
}

/** One patch a step, however many changes it had. */
function toPatches(
  changes: readonly StepChange[],
  used: ReadonlyMap<number, readonly ModelUse[]>,
): readonly StepPatch[] {
  const patches = new Map<number, StepPatch>();
  for (const change of changes) {
    const modelUse = 'outcome' in change && change.outcome.modelUse !== undefined ? used.get(change.index) : undefined;
    const counted = modelUse === undefined ? {} : { modelUse };
    patches.set(change.index, { ...patches.get(change.index), ...toPatch(change), ...counted });
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
      const memo = change.continues && !nodeStatus.isPassed(change.outcome.status) ? { memo: { continues: true } } : {};
      const { status } = change.outcome;
      return {
        position,
        status,
        finishedAt: change.at,
        ...toRunEnd(change),
        ...done,
        ...toOutputsPatch(change),
        ...(change.outcome.build === undefined ? {} : { build: change.outcome.build }),
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

/** A step starts with its first attempt; a later one clears what the attempt before it left. */
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
      const { status, exitCode, signal, error, build } = change.outcome;
      const message = logMessages[kind];
      const next = 'afterMs' in change ? { nextAfterMs: change.afterMs } : {};
      log.write(message, { step, ...laterAttempt(change), status, build, exitCode, signal, error, ...next });
    }
  }
}

/** The number of the attempt is logged from the second one on. */
function laterAttempt({ attempt }: { readonly attempt: number }): { readonly attempt?: number } {
  return attempt === 1 ? {} : { attempt };
}
