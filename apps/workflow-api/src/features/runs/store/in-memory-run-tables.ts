import type { DagRun, DagRunStep, RunAttempt, StepOutputs } from '@weir/workflow-engine/model';
import type { JsonValue } from '@weir/workflow-spec';
import { createListeners, type Listeners } from '../../../adapters/listeners';
import type { RunChange } from '../../../adapters/run-changes';
import type { DeadLetter, NewQueueItem } from '../../queue/store';
import { createRunWaitListeners, type RunWaitListeners } from './run-wait-listeners';
import type { AcceptedFile } from './accepted-files';
import type { RunPosition } from './dag-run-repository';

/** An item of a queue; it has a rank of its own once it was moved. */
export interface StoredQueueItem extends NewQueueItem {
  readonly rankAt?: Date;
  /** The number of failures of its workers since a step last passed. */
  readonly failures?: number;
}

/** The tables that the repository and the queue in memory share. */
export interface RunTables {
  readonly runs: Map<string, DagRun>;
  readonly steps: Map<string, readonly DagRunStep[]>;
  /** The outputs of each run, by the keys of its steps. */
  readonly outputs: Map<string, Map<string, StepOutputs>>;
  readonly attempts: Map<string, readonly RunAttempt[]>;
  readonly memos: Map<string, Map<string, JsonValue>>;
  /** The newest run of each DAG name. */
  readonly heads: Map<string, string>;
  readonly items: Map<string, StoredQueueItem>;
  /** The number of the last claim of each queue and workspace, by `shareOf`. */
  readonly served: Map<string, number>;
  readonly deadLetters: Map<string, DeadLetter>;
  /** By DAG name and key. */
  readonly acceptedFiles: Map<string, AcceptedFile>;
  readonly listeners: RunWaitListeners;
  /** Notified of each change after it was stored. */
  readonly runChanges: Listeners<RunChange>;
  /** Called when a run is in its queue again. */
  readonly onQueued: () => void;
  /** Executes one transaction after another. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

export function createRunTables(onQueued: () => void = () => undefined): RunTables {
  let last: Promise<unknown> = Promise.resolve();
  return {
    runs: new Map(),
    steps: new Map(),
    outputs: new Map(),
    attempts: new Map(),
    memos: new Map(),
    heads: new Map(),
    items: new Map(),
    served: new Map(),
    deadLetters: new Map(),
    acceptedFiles: new Map(),
    listeners: createRunWaitListeners(),
    runChanges: createListeners(),
    onQueued,
    exclusively: (work) => {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
  };
}

export function findChildren({ runs }: Pick<RunTables, 'runs'>, parentId: string): readonly DagRun[] {
  return [...runs.values()].filter((run) => run.parentId === parentId).toSorted(comparePositions);
}

export function comparePositions(left: RunPosition, right: RunPosition): number {
  return (
    left.createdAt.getTime() - right.createdAt.getTime() ||
    compareTexts(left.dagName, right.dagName) ||
    compareTexts(left.id, right.id)
  );
}

export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
