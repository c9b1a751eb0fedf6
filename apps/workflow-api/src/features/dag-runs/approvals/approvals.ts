import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@weir/errors';
import {
  isSuccessfulNode,
  isUnstartedNode,
  isWaitingNode,
  planDag,
  type StepOutputs,
  nodeKey,
  type DagRun,
  type DagRunStep,
  type PushBack,
  type StepGate,
  type StepPatch,
  pendingStep,
  type GateSettlement,
} from '@weir/workflow-engine';
import type { Dag, Step } from '@weir/workflow-spec';
import type { Clock } from '../../../adapters/clock';
import type { DagParser } from '../../../dag-parser';
import { stepNotFound } from '../dag-run-errors';
import type { DagRunRepository } from '../storage/dag-run-repository';
import {
  approvalInputsMissing,
  runAtWork,
  stepNotWaiting,
  taskCompletedOtherwise,
  taskNotOpen,
} from './approval-errors';
import { toAnswerOutputs, readHumanTask, type TaskAnswer } from './human-task-answer';
import { parseStored } from '../stored-spec';

export interface ApprovalsDependencies {
  readonly runs: Pick<DagRunRepository, 'listAllSteps' | 'readOutputs' | 'settleGate'>;
  readonly parser: DagParser;
  readonly clock: Clock;
}

export interface Decision {
  /** Name of the step, or its ID. */
  readonly step: string;
  /** Who decides. */
  readonly by: string;
  /** What goes with it; names that the gate does not ask for are dropped. */
  readonly inputs?: Readonly<Record<string, string>> | undefined;
}

export interface Rejection extends Omit<Decision, 'inputs'> {
  readonly reason?: string | undefined;
}

export interface TaskCompletion {
  readonly stepId: string;
  readonly by: string;
  readonly answer: TaskAnswer;
}

export interface DecisionResult {
  /** Whether the run goes on because of it; otherwise it is at work or in its queue already. */
  readonly isResumed: boolean;
}

export interface PushBackResult extends DecisionResult {
  readonly iteration: number;
}

export interface TaskResult extends DecisionResult {
  readonly isRepeated: boolean;
  /** Steps of the run that still wait. */
  readonly remaining: number;
}

/** A step that waits for a person. */
export interface OpenApproval {
  readonly name: string;
  readonly id?: string | undefined;
  readonly prompt: string;
  readonly kind: 'human_task' | 'approval';
  /** Of a task: its form; of an approval: the names of the values that may be given. */
  readonly asks: unknown;
}

/** Of those that are kept with a step, the newest: its row is read whole. */
const maxPushBacks = 100;

export type Approvals = ReturnType<typeof createApprovals>;

/** Everything that is known of the step that a person speaks about. */
interface WaitingStep {
  readonly run: DagRun;
  readonly dag: Dag;
  readonly step: Step;
  readonly row: DagRunStep;
  readonly rows: readonly DagRunStep[];
}

/** What people say to the steps that wait for them. Steps of handlers and loops never do. */
export function createApprovals(dependencies: ApprovalsDependencies) {
  return {
    /** Throws `step_not_found`, `step_not_waiting` or `approval_inputs_missing`. */
    approve: (run: DagRun, decision: Decision): Promise<DecisionResult> => approve(dependencies, run, decision),

    /** Throws `step_not_found` or `step_not_waiting`. */
    reject: (run: DagRun, rejection: Rejection): Promise<DecisionResult> => reject(dependencies, run, rejection),

    /** Throws `step_not_found`, `step_not_waiting`, `approval_inputs_missing`, or `dag_run_active` for a run at work. */
    pushBack: (run: DagRun, decision: Decision): Promise<PushBackResult> => pushBack(dependencies, run, decision),

    /**
     * Completes a human task, which is called by its ID. The same answer again is no mistake. Throws `step_not_found`,
     * `human_task_answer_invalid`, `payload_too_large`, `human_task_completed` or `human_task_not_open`.
     */
    complete: (run: DagRun, completion: TaskCompletion): Promise<TaskResult> => complete(dependencies, run, completion),

    /** The steps of the run that wait for a person, in the order of the spec. */
    async listOpen(run: DagRun): Promise<readonly OpenApproval[]> {
      const rows = await stepRows(dependencies, run);
      if (!rows.some(({ status }) => isWaitingNode(status))) return [];
      const { dag } = await parseStored(dependencies.parser, run);
      return dag.steps.flatMap((step, position) => {
        const isOpen = rows.some((row) => row.position === position && isWaitingNode(row.status));
        return isOpen ? toOpenApprovals(step) : [];
      });
    },
  };
}

async function approve(
  dependencies: ApprovalsDependencies,
  run: DagRun,
  { step, by, inputs }: Decision,
): Promise<DecisionResult> {
  const gate = await openApproval(dependencies, run, step);
  const selected = selectInputs(gate.step.approval, inputs);
  const at = dependencies.clock.now();
  const decision = { ...copyPushBacks(gate.row), approvedAt: at.toISOString(), approvedBy: by, inputs: selected };
  const outcome = await store(dependencies, gate, [toEnd(gate.row, 'succeeded', { at, gate: decision })]);
  if (outcome === 'too_late') throw stepNotWaiting(step);
  return { isResumed: outcome === 'resumed' };
}

async function reject(
  dependencies: ApprovalsDependencies,
  run: DagRun,
  { step, by, reason }: Rejection,
): Promise<DecisionResult> {
  const gate = await openApproval(dependencies, run, step);
  const at = dependencies.clock.now();
  const why = reason === undefined ? {} : { reason };
  const decision = { ...copyPushBacks(gate.row), rejectedAt: at.toISOString(), rejectedBy: by, ...why };
  const error = reason === undefined ? 'rejected' : `rejected: ${reason}`;
  const outcome = await store(dependencies, gate, [{ ...toEnd(gate.row, 'rejected', { at, gate: decision }), error }]);
  if (outcome === 'too_late') throw stepNotWaiting(step);
  return { isResumed: outcome === 'resumed' };
}

async function pushBack(
  dependencies: ApprovalsDependencies,
  run: DagRun,
  { step, by, inputs }: Decision,
): Promise<PushBackResult> {
  const gate = await openApproval(dependencies, run, step);
  const selected = selectInputs(gate.step.approval, inputs);
  const at = dependencies.clock.now().toISOString();
  const rewound = findRewoundSteps(gate);
  const patches = rewound.map((row) => toPushedBack(row, { by, at, inputs: selected }));
  const outcome = await store(dependencies, gate, patches, {
    deletedScopes: rewound.map(nodeKey),
    whileRunning: false,
  });
  if (outcome === 'too_late') throw runAtWork(run.dagRunId);
  return { isResumed: outcome === 'resumed', iteration: gate.row.iteration + 1 };
}

async function complete(
  dependencies: ApprovalsDependencies,
  run: DagRun,
  { stepId, by, answer }: TaskCompletion,
): Promise<TaskResult> {
  const gate = await findStep(dependencies, run, ({ id }) => id === stepId, stepId);
  const task = readHumanTask(gate.step);
  if (task === undefined) throw stepNotFound(stepId);
  const outputs = toAnswerOutputs(task, answer, gate.dag);
  const remaining = gate.rows.filter(({ status }) => isWaitingNode(status)).length;
  if (isWaitingNode(gate.row.status)) {
    const at = dependencies.clock.now();
    const decision = { approvedAt: at.toISOString(), approvedBy: by };
    const patch = { ...toEnd(gate.row, 'succeeded', { at, gate: decision }), outputs };
    const outcome = await store(dependencies, gate, [patch]);
    if (outcome !== 'too_late') {
      return { isResumed: outcome === 'resumed', isRepeated: false, remaining: remaining - 1 };
    }
  }
  await refuseOtherAnswer(dependencies, gate, { outputs, stepId });
  return { isResumed: false, isRepeated: true, remaining };
}

function store(
  { runs, clock }: ApprovalsDependencies,
  { run, row }: WaitingStep,
  patches: readonly StepPatch[],
  more: Pick<GateSettlement, 'deletedScopes' | 'whileRunning'> = { deletedScopes: [], whileRunning: true },
) {
  const { scope, position, iteration } = row;
  return runs.settleGate(run.id, { step: { scope, position, iteration }, at: clock.now(), patches, ...more });
}

function toOpenApprovals(step: Step): readonly OpenApproval[] {
  const { name, id, approval } = step;
  const task = readHumanTask(step);
  if (task !== undefined) return [{ name, id, prompt: task.prompt, kind: 'human_task', asks: task.form }];
  if (approval === undefined) return [];
  return [{ name, id, prompt: approval.prompt ?? '', kind: 'approval', asks: approval.input }];
}

async function stepRows({ runs }: ApprovalsDependencies, run: DagRun): Promise<readonly DagRunStep[]> {
  return (await runs.listAllSteps(run.id)).filter(({ scope }) => scope === '');
}

async function findStep(
  dependencies: ApprovalsDependencies,
  run: DagRun,
  matches: (step: Step) => boolean,
  text: string,
): Promise<WaitingStep> {
  const rows = await stepRows(dependencies, run);
  const { dag } = await parseStored(dependencies.parser, run);
  const position = dag.steps.findIndex(matches);
  const step = dag.steps[position];
  const row = rows.find((each) => each.position === position);
  if (step === undefined || row === undefined) throw stepNotFound(text);
  return { run, dag, step, row, rows };
}

async function openApproval(dependencies: ApprovalsDependencies, run: DagRun, text: string): Promise<WaitingStep> {
  const gate = await findStep(dependencies, run, ({ name, id }) => name === text || id === text, text);
  const { step, row } = gate;
  if (step.approval === undefined || !isWaitingNode(row.status)) throw stepNotWaiting(text);
  // A step that runs another DAG also waits while that one does. Once its own work is done, it has published it.
  const waitsForChild =
    step.run.kind === 'action' &&
    step.run.action === 'dag.run' &&
    !(await dependencies.runs.readOutputs(run.id)).has(row.position);
  if (waitsForChild) throw stepNotWaiting(text);
  return gate;
}

/** Those that the gate asks for. */
function selectInputs(
  approval: Step['approval'],
  inputs: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { input = [], required = [] } = approval ?? {};
  const isGiven = (name: string): boolean => Object.hasOwn(inputs, name) && inputs[name]?.trim() !== '';
  const missing = required.filter((name) => !isGiven(name));
  if (missing.length > 0) throw approvalInputsMissing(missing);
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => input.includes(name)));
}

function toEnd(
  { position }: DagRunStep,
  status: 'succeeded' | 'rejected',
  { at, gate }: { readonly at: Date; readonly gate: StepGate },
): StepPatch {
  return { position, status, finishedAt: at, gate };
}

function copyPushBacks({ gate }: DagRunStep): Pick<StepGate, 'pushBacks'> {
  return gate?.pushBacks === undefined ? {} : { pushBacks: gate.pushBacks };
}

/** The step that work is done again from, and all that come after it, apart from those that have not begun. */
function findRewoundSteps({ dag, step, row, rows }: WaitingStep): readonly DagRunStep[] {
  const plan = planDag(dag.steps);
  const from = step.approval?.rewindTo;
  const start = from === undefined ? row.position : plan.indexOf.get(from);
  if (start === undefined) throw new AppError('internal', 'A step to send the work back to is not there.');
  const chosen = new Set([start]);
  // The set grows while it is walked.
  for (const index of chosen) for (const dependent of plan.dependents[index] ?? []) chosen.add(dependent);
  return rows.filter(({ position, status }) => chosen.has(position) && !isUnstartedNode(status));
}

function toPushedBack(row: DagRunStep, decision: Omit<PushBack, 'iteration'>): StepPatch {
  const iteration = row.iteration + 1;
  const pushBacks = [...(row.gate?.pushBacks ?? []), { iteration, ...decision }].slice(-maxPushBacks);
  return { position: row.position, ...pendingStep, memo: null, iteration, gate: { pushBacks } };
}

async function refuseOtherAnswer(
  { runs }: ApprovalsDependencies,
  { run, row }: WaitingStep,
  { outputs, stepId }: { readonly outputs: StepOutputs; readonly stepId: string },
): Promise<void> {
  const now = (await runs.listAllSteps(run.id)).find(
    ({ scope, position }) => scope === '' && position === row.position,
  );
  if (now === undefined || !isSuccessfulNode(now.status)) throw taskNotOpen(stepId);
  const stored = (await runs.readOutputs(run.id)).get(row.position);
  if (!isDeepStrictEqual(stored?.declared, outputs.declared)) throw taskCompletedOtherwise(stepId);
}
