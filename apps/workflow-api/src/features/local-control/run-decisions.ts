import { AppError } from '@weir/errors';
import type { DagRun, DagRunSummary } from '@weir/workflow-engine';
import { dagRunNotFound, type DagRunRepository, type Approvals, type RunRetrier } from '../dag-runs';
import type { RunSnapshot } from './control-contract';
import type { RunAddress } from './control-messages';
import type { ApprovalDone, ApprovalOrder, Gate, OneRun, RetryOrder, TaskDone, TaskOrder } from './decision-messages';

/** What the command line does to runs that wait or have ended. Everything throws `dag_run_not_found`. */
export interface RunDecisions {
  /** Puts an ended run back into its queue. Throws what the retrier does. */
  retry(order: RetryOrder): Promise<RunSnapshot>;
  /** The steps of a run that wait for a person, the newest run of the DAG unless one is named. */
  gates(run: RunAddress): Promise<readonly Gate[]>;
  /** Throws what the gates do; `decide` likewise. */
  complete(order: TaskOrder): Promise<TaskDone>;
  decide(order: ApprovalOrder): Promise<ApprovalDone>;
}

export interface RunDecisionsDependencies {
  readonly runs: Pick<DagRunRepository, 'find' | 'findLatest' | 'findById'>;
  readonly gates: Approvals;
  readonly retrier: Pick<RunRetrier, 'retry'>;
  /** Runs of this id, of any DAG. */
  readonly runsOfId: (dagRunId: string) => Promise<readonly DagRunSummary[]>;
  readonly snapshot: (id: string) => Promise<RunSnapshot>;
}

const latest = 'latest';

export function createRunDecisions(dependencies: RunDecisionsDependencies): RunDecisions {
  const { runs, gates, retrier, snapshot } = dependencies;
  return {
    retry: async ({ dagName, dagRunId, step, downstream }) => {
      const run = await findRun(dependencies, { dagName, dagRunId });
      await retrier.retry(run, { step, downstream });
      return snapshot(run.id);
    },
    gates: async ({ dagName, dagRunId = latest }) => {
      const run = dagRunId === latest ? await runs.findLatest(dagName) : await runs.find(dagName, dagRunId);
      if (run === undefined) throw dagRunNotFound(dagName, dagRunId);
      return gates.listOpen(run);
    },
    complete: async ({ stepId, by, values, texts, ...address }) => {
      const run = await findRun(dependencies, address);
      const completed = await gates.complete(run, { stepId, by, answer: { values, texts } });
      return { dagName: run.dagName, dagRunId: run.dagRunId, ...completed };
    },
    decide: async (order) => {
      const run = await findRun(dependencies, order);
      const { isResumed } = await decide(gates, run, order);
      return { dagName: run.dagName, dagRunId: run.dagRunId, isResumed };
    },
  };
}

function decide(gates: Approvals, run: DagRun, { decision, step, by, inputs, reason }: ApprovalOrder) {
  switch (decision) {
    case 'approve':
      return gates.approve(run, { step, by, inputs });
    case 'reject':
      return gates.reject(run, { step, by, reason });
    case 'push-back':
      return gates.pushBack(run, { step, by, inputs });
  }
}

async function findRun({ runs, runsOfId }: RunDecisionsDependencies, { dagName, dagRunId }: OneRun): Promise<DagRun> {
  if (dagName !== undefined) {
    const named = await runs.find(dagName, dagRunId);
    if (named === undefined) throw dagRunNotFound(dagName, dagRunId);
    return named;
  }
  const [found, other] = await runsOfId(dagRunId);
  if (other !== undefined) {
    throw new AppError('conflict', `Several DAGs have a run "${dagRunId}": name the DAG.`, {
      reason: 'dag_run_ambiguous',
    });
  }
  const run = found && (await runs.findById(found.id));
  if (run !== undefined) return run;
  throw new AppError('not_found', `There is no run "${dagRunId}".`, { reason: 'dag_run_not_found' });
}
