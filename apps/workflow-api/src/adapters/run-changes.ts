import type { RunStatus } from '@weir/workflow-engine';
import type { DagRunRepository } from '../features/dag-runs';
import type { QueueDriver } from '../features/queue';
import type { OccurrencesSkipped } from '../features/scheduler';
import { createListeners, type Listeners } from './listeners';

type RunEvent = Parameters<DagRunRepository['apply']>[1];
type DecisionEvent = Extract<RunEvent, { readonly by: string; readonly step: unknown }>;

/** What a person decided about a step. */
export interface StepDecided extends Pick<DecisionEvent, 'kind' | 'by'> {
  readonly step: string;
}

/** A run that this process has changed, or some run of another process. */
export interface RunChange {
  readonly runId: string;
  /** The status that the run got. */
  readonly status?: RunStatus | undefined;
  readonly decision?: StepDecided | undefined;
}

/** A queue that a person has changed through this process. */
export interface QueueChange {
  readonly queue: string;
  readonly kind: 'paused' | 'resumed' | 'reordered';
  /** Name of the person. */
  readonly by: string;
}

interface Stores {
  readonly runs: DagRunRepository;
  readonly queue: QueueDriver<never>;
}

export interface Announcements {
  readonly runChanges: Listeners<RunChange>;
  readonly queueChanges: Listeners<QueueChange>;
  readonly occurrencesSkipped: Listeners<OccurrencesSkipped>;
}

/** The same with stores that announce each change after it was stored. */
export function announceRunChanges<Given extends Stores>(given: Given): Given & Announcements {
  const { runs, queue } = given;
  const runChanges = createListeners<RunChange>();
  const { announce } = runChanges;
  const after = async <T>(runId: string, work: Promise<T>, status?: RunStatus): Promise<T> => {
    const result = await work;
    if (result !== false && result !== undefined) announce({ runId, status });
    return result;
  };
  return {
    ...given,
    runChanges,
    queueChanges: createListeners<QueueChange>(),
    occurrencesSkipped: createListeners<OccurrencesSkipped>(),
    runs: {
      ...runs,
      insert: async (run, steps, options) => {
        await runs.insert(run, steps, options);
        announce({ runId: run.id, status: run.status });
        if (run.parentId !== null) announce({ runId: run.parentId });
      },
      apply: async (runId, event) => {
        const applied = await runs.apply(runId, event);
        if (applied !== undefined) announce({ runId, status: applied.patch.status, decision: toDecision(event) });
        return applied;
      },
      record: (id, lease, changes, end) => after(id, runs.record(id, lease, changes, end), end?.status),
      storeParams: (id, lease, params, files) => after(id, runs.storeParams(id, lease, params, files)),
      addSteps: (id, lease, steps) => after(id, runs.addSteps(id, lease, steps)),
      remove: (id) => after(id, runs.remove(id)),
    },
    queue: {
      ...queue,
      claim: async (request) => {
        const claim = await queue.claim(request);
        if (claim !== undefined) announce({ runId: claim.runId, status: 'running' });
        return claim;
      },
      fail: (claim, retryAt) => after(claim.runId, queue.fail(claim, retryAt)),
    },
  };
}

function toDecision(event: RunEvent): StepDecided | undefined {
  switch (event.kind) {
    case 'approved':
    case 'rejected':
    case 'pushed_back':
    case 'task_completed':
      return { kind: event.kind, by: event.by, step: event.step.name };
    default:
      return undefined;
  }
}
