import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@weir/errors';
import { isSuccessfulNode, isUnstartedNode, isWaitingNode, planDag, type StepOutputs } from '@weir/workflow-engine';
import type { Dag, Step } from '@weir/workflow-spec';
import type { Clock } from '../../adapters/clock';
import type { DagParser } from '../../dag-parser';
import { nodeKey, type DagRun, type DagRunStep, type PushBack, type StepGate, type StepPatch } from './dag-run';
import { stepNotFound } from './dag-run-errors';
import type { DagRunRepository, GateSettlement } from './dag-run-repository';
import { approvalInputsMissing, runAtWork, stepNotWaiting, taskCompletedOtherwise, taskNotOpen } from './gate-errors';
import { outputsOfAnswer, taskOf, type TaskAnswer } from './human-task-answer';
import { unbegun } from './run-retrier';
import { parseStored } from './stored-dag';

export interface RunGatesDependencies {
  readonly runs: Pick<DagRunRepository, 'nodesOf' | 'outputsOf' | 'settleGate'>;
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

export interface Settled {
  /** Whether the run goes on because of it; otherwise it is at work or in its queue already. */
  readonly isResumed: boolean;
}

export interface SentBack extends Settled {
  readonly iteration: number;
}

export interface CompletedTask extends Settled {
  readonly isRepeated: boolean;
  /** Steps of the run that still wait. */
  readonly remaining: number;
}

/** A step that waits for a person. */
export interface OpenGate {
  readonly name: string;
  readonly id?: string | undefined;
  readonly prompt: string;
  readonly kind: 'human_task' | 'approval';
  /** Of a task: its form; of an approval: the names of the values that may be given. */
  readonly asks: unknown;
}

/** Of those that are kept with a step, the newest: its row is read whole. */
const maxPushBacks = 100;

export type RunGates = ReturnType<typeof createRunGates>;

/** Everything that is known of the step that a person speaks about. */
interface Gate {
  readonly run: DagRun;
  readonly dag: Dag;
  readonly step: Step;
  readonly row: DagRunStep;
  readonly rows: readonly DagRunStep[];
}

/** What people say to the steps that wait for them. Steps of handlers and loops never do. */
export function createRunGates(dependencies: RunGatesDependencies) {
  return {
    /** Throws `step_not_found`, `step_not_waiting` or `approval_inputs_missing`. */
    approve: (run: DagRun, decision: Decision): Promise<Settled> => approve(dependencies, run, decision),

    /** Throws `step_not_found` or `step_not_waiting`. */
    reject: (run: DagRun, rejection: Rejection): Promise<Settled> => reject(dependencies, run, rejection),

    /** Throws `step_not_found`, `step_not_waiting`, `approval_inputs_missing`, or `dag_run_active` for a run at work. */
    pushBack: (run: DagRun, decision: Decision): Promise<SentBack> => pushBack(dependencies, run, decision),

    /**
     * Completes a human task, which is called by its ID. The same answer again is no mistake. Throws `step_not_found`,
     * `human_task_answer_invalid`, `payload_too_large`, `human_task_completed` or `human_task_not_open`.
     */
    complete: (run: DagRun, completion: TaskCompletion): Promise<CompletedTask> =>
      complete(dependencies, run, completion),

    /** The steps of the run that wait for a person, in the order of the spec. */
    async listOpen(run: DagRun): Promise<readonly OpenGate[]> {
      const rows = await stepRows(dependencies, run);
      if (!rows.some(({ status }) => isWaitingNode(status))) return [];
      const { dag } = await parseStored(dependencies.parser, run);
      return dag.steps.flatMap((step, position) => {
        const isOpen = rows.some((row) => row.position === position && isWaitingNode(row.status));
        return isOpen ? openGateOf(step) : [];
      });
    },
  };
}

async function approve(
  dependencies: RunGatesDependencies,
  run: DagRun,
  { step, by, inputs }: Decision,
): Promise<Settled> {
  const gate = await openApproval(dependencies, run, step);
  const given = inputsOf(gate.step.approval, inputs);
  const at = dependencies.clock.now();
  const said = { ...pushBacksOf(gate.row), approvedAt: at.toISOString(), approvedBy: by, inputs: given };
  const outcome = await settle(dependencies, gate, [endOf(gate.row, 'succeeded', { at, gate: said })]);
  if (outcome === 'too_late') throw stepNotWaiting(step);
  return { isResumed: outcome === 'resumed' };
}

async function reject(
  dependencies: RunGatesDependencies,
  run: DagRun,
  { step, by, reason }: Rejection,
): Promise<Settled> {
  const gate = await openApproval(dependencies, run, step);
  const at = dependencies.clock.now();
  const why = reason === undefined ? {} : { reason };
  const said = { ...pushBacksOf(gate.row), rejectedAt: at.toISOString(), rejectedBy: by, ...why };
  const error = reason === undefined ? 'rejected' : `rejected: ${reason}`;
  const outcome = await settle(dependencies, gate, [{ ...endOf(gate.row, 'rejected', { at, gate: said }), error }]);
  if (outcome === 'too_late') throw stepNotWaiting(step);
  return { isResumed: outcome === 'resumed' };
}

async function pushBack(
  dependencies: RunGatesDependencies,
  run: DagRun,
  { step, by, inputs }: Decision,
): Promise<SentBack> {
  const gate = await openApproval(dependencies, run, step);
  const given = inputsOf(gate.step.approval, inputs);
  const at = dependencies.clock.now().toISOString();
  const again = stepsAgain(gate);
  const patches = again.map((row) => sentBack(row, { by, at, inputs: given }));
  const outcome = await settle(dependencies, gate, patches, { forget: again.map(nodeKey), whileRunning: false });
  if (outcome === 'too_late') throw runAtWork(run.dagRunId);
  return { isResumed: outcome === 'resumed', iteration: gate.row.iteration + 1 };
}

async function complete(
  dependencies: RunGatesDependencies,
  run: DagRun,
  { stepId, by, answer }: TaskCompletion,
): Promise<CompletedTask> {
  const gate = await findGate(dependencies, run, ({ id }) => id === stepId, stepId);
  const task = taskOf(gate.step);
  if (task === undefined) throw stepNotFound(stepId);
  const outputs = outputsOfAnswer(task, answer, gate.dag);
  const remaining = gate.rows.filter(({ status }) => isWaitingNode(status)).length;
  if (isWaitingNode(gate.row.status)) {
    const at = dependencies.clock.now();
    const said = { approvedAt: at.toISOString(), approvedBy: by };
    const patch = { ...endOf(gate.row, 'succeeded', { at, gate: said }), outputs };
    const outcome = await settle(dependencies, gate, [patch]);
    if (outcome !== 'too_late') {
      return { isResumed: outcome === 'resumed', isRepeated: false, remaining: remaining - 1 };
    }
  }
  await refuseOther(dependencies, gate, { outputs, stepId });
  return { isResumed: false, isRepeated: true, remaining };
}

function settle(
  { runs, clock }: RunGatesDependencies,
  { run, row }: Gate,
  patches: readonly StepPatch[],
  more: Pick<GateSettlement, 'forget' | 'whileRunning'> = { forget: [], whileRunning: true },
) {
  const { scope, position, iteration } = row;
  return runs.settleGate(run.id, { step: { scope, position, iteration }, at: clock.now(), patches, ...more });
}

function openGateOf(step: Step): readonly OpenGate[] {
  const { name, id, approval } = step;
  const task = taskOf(step);
  if (task !== undefined) return [{ name, id, prompt: task.prompt, kind: 'human_task', asks: task.form }];
  if (approval === undefined) return [];
  return [{ name, id, prompt: approval.prompt ?? '', kind: 'approval', asks: approval.input }];
}

async function stepRows({ runs }: RunGatesDependencies, run: DagRun): Promise<readonly DagRunStep[]> {
  return (await runs.nodesOf(run.id)).filter(({ scope }) => scope === '');
}

async function findGate(
  dependencies: RunGatesDependencies,
  run: DagRun,
  isMeant: (step: Step) => boolean,
  text: string,
): Promise<Gate> {
  const rows = await stepRows(dependencies, run);
  const { dag } = await parseStored(dependencies.parser, run);
  const position = dag.steps.findIndex(isMeant);
  const step = dag.steps[position];
  const row = rows.find((each) => each.position === position);
  if (step === undefined || row === undefined) throw stepNotFound(text);
  return { run, dag, step, row, rows };
}

async function openApproval(dependencies: RunGatesDependencies, run: DagRun, text: string): Promise<Gate> {
  const gate = await findGate(dependencies, run, ({ name, id }) => name === text || id === text, text);
  const { step, row } = gate;
  if (step.approval === undefined || !isWaitingNode(row.status)) throw stepNotWaiting(text);
  // A step that runs another DAG also waits while that one does. Once its own work is done, it has published it.
  const waitsForChild =
    step.run.kind === 'action' &&
    step.run.action === 'dag.run' &&
    !(await dependencies.runs.outputsOf(run.id)).has(row.position);
  if (waitsForChild) throw stepNotWaiting(text);
  return gate;
}

/** Those that the gate asks for. */
function inputsOf(approval: Step['approval'], given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { input = [], required = [] } = approval ?? {};
  const isGiven = (name: string): boolean => Object.hasOwn(given, name) && given[name]?.trim() !== '';
  const missing = required.filter((name) => !isGiven(name));
  if (missing.length > 0) throw approvalInputsMissing(missing);
  return Object.fromEntries(Object.entries(given).filter(([name]) => input.includes(name)));
}

function endOf(
  { position }: DagRunStep,
  status: 'succeeded' | 'rejected',
  { at, gate }: { readonly at: Date; readonly gate: StepGate },
): StepPatch {
  return { position, status, finishedAt: at, gate };
}

function pushBacksOf({ gate }: DagRunStep): Pick<StepGate, 'pushBacks'> {
  return gate?.pushBacks === undefined ? {} : { pushBacks: gate.pushBacks };
}

/** The step that work is done again from, and all that come after it, apart from those that have not begun. */
function stepsAgain({ dag, step, row, rows }: Gate): readonly DagRunStep[] {
  const plan = planDag(dag.steps);
  const from = step.approval?.rewindTo;
  const start = from === undefined ? row.position : plan.indexOf.get(from);
  if (start === undefined) throw new AppError('internal', 'A step to send the work back to is not there.');
  const chosen = new Set([start]);
  // The set grows while it is walked.
  for (const index of chosen) for (const dependent of plan.dependents[index] ?? []) chosen.add(dependent);
  return rows.filter(({ position, status }) => chosen.has(position) && !isUnstartedNode(status));
}

function sentBack(row: DagRunStep, said: Omit<PushBack, 'iteration'>): StepPatch {
  const iteration = row.iteration + 1;
  const pushBacks = [...(row.gate?.pushBacks ?? []), { iteration, ...said }].slice(-maxPushBacks);
  return { position: row.position, ...unbegun, memo: null, iteration, gate: { pushBacks } };
}

async function refuseOther(
  { runs }: RunGatesDependencies,
  { run, row }: Gate,
  { outputs, stepId }: { readonly outputs: StepOutputs; readonly stepId: string },
): Promise<void> {
  const now = (await runs.nodesOf(run.id)).find(({ scope, position }) => scope === '' && position === row.position);
  if (now === undefined || !isSuccessfulNode(now.status)) throw taskNotOpen(stepId);
  const stored = (await runs.outputsOf(run.id)).get(row.position);
  if (!isDeepStrictEqual(stored?.declared, outputs.declared)) throw taskCompletedOtherwise(stepId);
}
