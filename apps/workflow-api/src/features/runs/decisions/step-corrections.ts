import { AppError } from '@weir/foundation';
import { runStatusOfEnds } from '@weir/workflow-engine';
import { nodeStatus, runStatus, type Clock, type DagRun, type DagRunStep } from '@weir/workflow-engine/model';
import type { DagParser } from '../../../dag-parser';
import type { Requester } from '../../../access/audited-operation';
import type { Principal } from '../../../access/principal';
import { stepNotCorrectable, stepNotFound } from '../store/dag-run-errors';
import type { RunAddress, RunAddresses } from '../read/run-addresses';
import type { DagRunRepository } from '../store/dag-run-repository';
import { parseStored } from '../store/stored-spec';

export interface StepCorrectionsDependencies {
  readonly runs: Pick<DagRunRepository, 'listAllSteps' | 'commit'>;
  readonly addresses: RunAddresses;
  readonly parser: DagParser;
  readonly clock: Clock;
}

export interface Correction {
  readonly name: string;
  /** The number of the status at the end. */
  readonly status: number;
}

/** Concurrent corrections of one run will not need more attempts. */
const maxAttempts = 50;

export type StepCorrections = ReturnType<typeof createStepCorrections>;

/** Serves people's corrections of steps in ended runs. Every operation throws `dag_run_not_found` or `step_not_found`. */
export function createStepCorrections({ runs, addresses, parser, clock }: StepCorrectionsDependencies) {
  const listSteps = async (run: DagRun): Promise<readonly DagRunStep[]> =>
    (await runs.listAllSteps(run.id)).filter(({ scope }) => scope === '');

  /** Returns false when the run has changed since its steps were read. */
  const correctOnce = async (
    address: RunAddress,
    step: Correction,
    { principal, audit }: Requester,
  ): Promise<boolean> => {
    const run = await addresses.toChange(address, principal);
    const { name } = step;
    if (!runStatus.isTerminal(run.status)) throw runActive(run);
    const status = nodeStatus.fromNumber(step.status);
    if (status === undefined || !nodeStatus.isTerminal(status)) throw stepNotCorrectable(name, 'that is no end');
    const steps = await listSteps(run);
    const row = findStep(steps, name);
    const { dag } = await parseStored(parser, run);
    const { run: work } = dag.steps[row.position] ?? {};
    if (work?.kind === 'action' && work.action === 'human.task') throw stepNotCorrectable(name, 'it is a human task');
    const ends = steps.map(({ position, status: stored }) => {
      const end = position === row.position ? status : stored;
      if (!nodeStatus.isTerminal(end)) throw stepNotCorrectable(name, 'another step has not ended');
      return { end, continues: dag.steps[position]?.continueOn?.failure ?? false };
    });
    const { attempt, fencingToken } = run;
    const applied = await runs.commit(
      run.id,
      {
        kind: 'step_corrected',
        attempt,
        fencingToken,
        step: row,
        status,
        at: clock.now(),
        runStatus: runStatusOfEnds(ends),
      },
      { audit },
    );
    return applied !== undefined;
  };

  return {
    /** Also throws `role_missing`, `dag_run_active`, `step_not_correctable` or `dag_run_changing`. */
    async correct(address: RunAddress, step: Correction, requester: Requester): Promise<void> {
      // Each further attempt uses the run after another correction.
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        if (await correctOnce(address, step, requester)) return;
      }
      throw new AppError('conflict', `The run "${address.dagRunId}" is being changed by others all the time.`, {
        reason: 'dag_run_changing',
      });
    },

    /** Returns the step as it is stored. */
    async find(address: RunAddress, name: string, principal: Principal): Promise<DagRunStep> {
      return findStep(await listSteps(await addresses.toRead(address, principal)), name);
    },
  };
}

function findStep(steps: readonly DagRunStep[], name: string): DagRunStep {
  const found = steps.find((step) => step.name === name);
  if (found === undefined) throw stepNotFound(name);
  return found;
}

function runActive({ dagRunId }: DagRun): AppError {
  return new AppError('invalid_request', `The run "${dagRunId}" is active.`, { reason: 'dag_run_active' });
}
