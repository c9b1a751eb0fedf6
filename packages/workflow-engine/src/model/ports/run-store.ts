import { AppError } from '@weir/foundation';
import type { JsonValue } from '@weir/workflow-spec';
import type { StepOutputs } from '../run-model/step-outputs';
import type { RunEvent } from '../state-machine/run-event';
import type { DagRun, DagRunStep, DagRunSummary, StepScope, StoredRun } from '../run-model/dag-run';
import { leaseLost } from './lease-lost';

/** Stores runs and what happens to them. */
export interface RunStore {
  find(dagName: string, dagRunId: string): Promise<DagRun | undefined>;
  findById(id: string): Promise<DagRun | undefined>;
  /** The steps of one scope, those of the DAG when left out, in the order of the spec. */
  listSteps(id: string, scope?: StepScope): Promise<readonly DagRunStep[]>;
  /** The steps of every scope. */
  listAllSteps(id: string): Promise<readonly DagRunStep[]>;
  /** The outputs of the steps of a scope, by position; nothing for steps that publish none. */
  readOutputs(id: string, scope?: StepScope): Promise<ReadonlyMap<number, StepOutputs>>;
  /** Returns what composite steps stored to resume from, by position. */
  readMemos(id: string, scope?: StepScope): Promise<ReadonlyMap<number, JsonValue>>;
  /** The child runs of a run, oldest first; those of one step when its key is given. */
  listChildren(parentId: string, parentNode?: string): Promise<readonly DagRunSummary[]>;
  /**
   * Applies an event of the state machine: patch, steps and effects in one transaction. Returns nothing, and nothing is
   * stored, when the event came too late.
   */
  commit(id: string, event: RunEvent): Promise<object | undefined>;
}

/** Loads the stored state of a run that was claimed. */
export async function loadRun(runs: Pick<RunStore, 'findById' | 'listAllSteps'>, id: string): Promise<StoredRun> {
  const run = await runs.findById(id);
  if (run === undefined) throw new AppError('internal', 'A claimed run is not stored.');
  return { run, nodes: await runs.listAllSteps(id) };
}

/** A run that this process owns. */
interface RunOwnership {
  readonly ports: { readonly runs: Pick<RunStore, 'commit'> };
  readonly run: Pick<DagRun, 'id'>;
}

/** Stores what the owner of a run did. Throws when another worker has claimed the run. */
export async function commitOwned({ ports, run }: RunOwnership, event: RunEvent): Promise<void> {
  if ((await ports.runs.commit(run.id, event)) === undefined) throw leaseLost();
}
