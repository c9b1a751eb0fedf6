import type { Plan } from '../../model/plan/plan';
import type { BlockedStep } from './scope-state';
import type { AttemptCounts } from './attempt-end';
import type { ProcessIdentity, StepOutcome } from '../../model/steps/step-outcome';
import type { StepChange, StepEnded, StepNotStarted, StepWaiting } from '../../model/steps/step-change';

/** The attempt of a step that has ended. */
export interface EndedAttempt {
  readonly attempt: number;
  readonly at: Date;
  readonly outcome: StepOutcome;
  readonly afterMs: number;
}

const blockedTexts = { aborted: 'upstream failed', skipped: 'upstream skipped', routed: 'route not taken' } as const;

/** Collects the changes of one tick for the recorder. */
export interface ChangeList {
  starting(index: number, counts: AttemptCounts, at: Date): void;
  processStarted(index: number, attempt: number, process: ProcessIdentity): void;
  retrying(index: number, ended: EndedAttempt): void;
  iterationEnded(index: number, ended: EndedAttempt & { readonly doneCount: number }): void;
  waiting(index: number, wait: Omit<StepWaiting, 'kind' | 'index' | 'stepName'>): void;
  ended(index: number, end: Omit<StepEnded, 'kind' | 'index' | 'stepName'>): void;
  notStarted(index: number, how: Omit<StepNotStarted, 'kind' | 'index' | 'stepName'>): void;
  blocked(steps: readonly BlockedStep[], at: Date): void;
  /** Everything since the last call. */
  drain(): readonly StepChange[];
}

export function createChangeList({ steps }: Plan): ChangeList {
  let changes: StepChange[] = [];
  const identify = (index: number) => ({ index, stepName: steps[index]?.name ?? '' });
  const notStarted: ChangeList['notStarted'] = (index, how) => {
    changes.push({ kind: 'not_started', ...identify(index), ...how });
  };
  return {
    starting: (index, { attempt, retries }, at) => {
      changes.push({ kind: 'starting', ...identify(index), attempt, retryCount: retries, at });
    },
    processStarted: (index, attempt, process) => {
      changes.push({ kind: 'process_started', ...identify(index), attempt, process });
    },
    retrying: (index, ended) => {
      changes.push({ kind: 'retrying', ...identify(index), ...ended });
    },
    iterationEnded: (index, ended) => {
      changes.push({ kind: 'iteration_ended', ...identify(index), ...ended });
    },
    waiting: (index, wait) => {
      changes.push({ kind: 'waiting', ...identify(index), ...wait });
    },
    ended: (index, end) => {
      changes.push({ kind: 'ended', ...identify(index), ...end });
    },
    notStarted,
    blocked: (blocked, at) => {
      for (const { index, status, isRouted } of blocked) {
        notStarted(index, { at, status, error: blockedTexts[isRouted === true ? 'routed' : status] });
      }
    },
    drain: () => {
      const drained = changes;
      changes = [];
      return drained;
    },
  };
}
