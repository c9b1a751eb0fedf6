import { isDeepStrictEqual } from 'node:util';
import { readHumanTask } from '@weir/workflow-contract';
import {
  runStatus,
  nodeStatus,
  type DagRun,
  type RunTransition,
  type StepOutputs,
  type Clock,
} from '@weir/workflow-engine/model';
import type { Audited } from '../../../access/audited-operation';
import type { DagParser } from '../../../dag-parser';
import { stepNotFound } from '../store/dag-run-errors';
import { presentAction } from '../read/step-presenter';
import type { DagRunRepository } from '../store/dag-run-repository';
import { runAtWork, stepNotWaiting, taskCompletedOtherwise, taskNotOpen } from './approval-errors';
import { toAnswerOutputs, type TaskAnswer } from './human-task-answer';
import {
  findOpenApproval,
  findOpenDecision,
  findRewoundSteps,
  findStep,
  listDagSteps,
  selectInputs,
} from './waiting-step';

export interface ApprovalsDependencies {
  readonly runs: Pick<DagRunRepository, 'listAllSteps' | 'readMemos' | 'readOutputs' | 'commit'>;
  readonly parser: DagParser;
  readonly clock: Clock;
}

export interface Decision extends Audited {
  /** Name of the step, or its ID. */
  readonly step: string;
  /** The person who decides. */
  readonly by: string;
  /** Names that the approval does not ask for are dropped. */
  readonly inputs?: Readonly<Record<string, string>> | undefined;
}

export interface PushBackRequest extends Decision {
  readonly comment?: string | undefined;
  /** Name or id of the step to return to. Default: that of the file. */
  readonly rewindTo?: string | undefined;
}

export interface Rejection extends Omit<Decision, 'inputs'> {
  readonly reason?: string | undefined;
}

export interface TaskCompletion extends Audited {
  readonly stepId: string;
  readonly by: string;
  readonly answer: TaskAnswer;
}

export interface DecisionResult {
  /** Whether the decision queued the run. Otherwise it is already running or queued. */
  readonly isResumed: boolean;
}

export interface PushBackResult extends DecisionResult {
  readonly iteration: number;
}

export interface TaskResult extends DecisionResult {
  readonly isRepeated: boolean;
  /** Number of steps of the run that still wait. */
  readonly remaining: number;
}

export type Approvals = ReturnType<typeof createApprovals>;

/** Stores people's decisions about steps that wait for them. Steps of handlers and loops never wait for a person. */
export function createApprovals(dependencies: ApprovalsDependencies) {
  return {
    /** Throws `step_not_found`, `step_not_waiting` or `approval_inputs_missing`. */
    approve: (run: DagRun, decision: Decision): Promise<DecisionResult> => approve(dependencies, run, decision),

    /** Throws `step_not_found` or `step_not_waiting`. */
    reject: (run: DagRun, rejection: Rejection): Promise<DecisionResult> => reject(dependencies, run, rejection),

    /**
     * Executes steps again from one before an approval or a human task. Throws `step_not_found`, `step_not_waiting`,
     * `approval_inputs_missing`, `rewind_not_upstream`, or `dag_run_active` for a running run.
     */
    pushBack: (run: DagRun, request: PushBackRequest): Promise<PushBackResult> => pushBack(dependencies, run, request),

    /**
     * Completes a human task, which is named by its ID. Repeating the same answer is no error. Throws
     * `step_not_found`, `human_task_answer_invalid`, `payload_too_large`, `human_task_completed` or
     * `human_task_not_open`.
     */
    complete: (run: DagRun, completion: TaskCompletion): Promise<TaskResult> => complete(dependencies, run, completion),
  };
}

async function approve(
  dependencies: ApprovalsDependencies,
  run: DagRun,
  { step: name, by, inputs, audit }: Decision,
): Promise<DecisionResult> {
  const { runs, clock } = dependencies;
  const { step, row } = await findOpenApproval(dependencies, run, name);
  const selected = selectInputs(step, inputs);
  const event = { kind: 'approved', step: row, at: clock.now(), by, inputs: selected } as const;
  const stored = await runs.commit(run.id, event, { audit });
  if (stored === undefined) throw stepNotWaiting(name);
  return { isResumed: isResumed(stored) };
}

async function reject(
  dependencies: ApprovalsDependencies,
  run: DagRun,
  { step: name, by, reason, audit }: Rejection,
): Promise<DecisionResult> {
  const { runs, clock } = dependencies;
  const { row } = await findOpenApproval(dependencies, run, name);
  const event = { kind: 'rejected', step: row, at: clock.now(), by, reason } as const;
  const stored = await runs.commit(run.id, event, { audit });
  if (stored === undefined) throw stepNotWaiting(name);
  return { isResumed: isResumed(stored) };
}

async function pushBack(
  dependencies: ApprovalsDependencies,
  run: DagRun,
  { step: name, by, inputs, comment, rewindTo, audit }: PushBackRequest,
): Promise<PushBackResult> {
  const { runs, clock } = dependencies;
  const found = await findOpenDecision(dependencies, run, name);
  const { step, row } = found;
  const selected = selectInputs(step, inputs);
  const rewound = findRewoundSteps(found, rewindTo);
  const event = { kind: 'pushed_back', step: row, at: clock.now(), by, inputs: selected, comment, rewound } as const;
  const stored = await runs.commit(run.id, event, { audit });
  if (stored === undefined) throw runAtWork(run.dagRunId);
  return { isResumed: isResumed(stored), iteration: row.iteration + 1 };
}

async function complete(
  dependencies: ApprovalsDependencies,
  run: DagRun,
  { stepId, by, answer, audit }: TaskCompletion,
): Promise<TaskResult> {
  const { runs, clock } = dependencies;
  const { dag, step, row, rows } = await findStep(dependencies, run, {
    name: stepId,
    matches: ({ id }) => id === stepId,
  });
  const task = readHumanTask(presentAction(step));
  if (task === undefined) throw stepNotFound(stepId);
  const outputs = toAnswerOutputs(task, answer, dag);
  const remaining = rows.filter(({ status }) => nodeStatus.isWaiting(status)).length;
  if (nodeStatus.isWaiting(row.status)) {
    const event = { kind: 'task_completed', step: row, at: clock.now(), by, outputs } as const;
    const stored = await runs.commit(run.id, event, { audit });
    if (stored !== undefined) return { isResumed: isResumed(stored), isRepeated: false, remaining: remaining - 1 };
  }
  await refuseOtherAnswer(dependencies, run, { position: row.position, outputs, stepId });
  return { isResumed: false, isRepeated: true, remaining };
}

function isResumed({ patch: { status } }: RunTransition): boolean {
  return status !== undefined && runStatus.isQueued(status);
}

interface RepeatedAnswer {
  readonly position: number;
  readonly outputs: StepOutputs;
  readonly stepId: string;
}

async function refuseOtherAnswer(
  { runs }: ApprovalsDependencies,
  { id }: DagRun,
  { position, outputs, stepId }: RepeatedAnswer,
): Promise<void> {
  const current = (await listDagSteps(runs, id)).find((step) => step.position === position);
  if (current === undefined || !nodeStatus.isSuccessful(current.status)) throw taskNotOpen(stepId);
  const stored = (await runs.readOutputs(id)).get(position);
  if (!isDeepStrictEqual(stored?.declared, outputs.declared)) throw taskCompletedOtherwise(stepId);
}
