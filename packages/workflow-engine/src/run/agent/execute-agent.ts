import { AppError } from '@weir/foundation';
import type { AgentRun, AgentTask, JsonObject, Step } from '@weir/workflow-spec';
import type { ActionExecutor } from '../../actions/call/action-executor';
import { executeBy } from '../../actions/execute-action';
import { isStoreFailure } from '../../model/ports/lease-lost';
import type { DagRunStep, StepScope } from '../../model/run-model/dag-run';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { StepExecution } from '../../scope/loop/step-execution';
import { buildActionCall } from '../../scope/steps/action-call';
import type { Upstream } from '../../values/outputs/scope-outputs';
import { createCallableDags } from '../children/callable-dags';
import type { ExecuteStep, RunContext } from '../context/run-context';
import { iterationScope, loadIterations } from '../foreach/iterations';
import { toActionServices } from '../context/action-services';
import { findEnd } from './agent-end';
import { openJournal, type AgentJournal } from './agent-journal';
import { offerSteps } from './agent-tools';
import { askPerson } from './ask-person';
import { createAsker, type AgentWork, type AskedAgent } from './ask-for-decision';
import { parseArguments } from './judge-reply';
import { runAction } from './run-action';

/**
 * Lets the model of the DAG choose one step after another until no task is open. Each decision is stored before it is
 * carried out: an agent that is resumed carries on the last one, and asks only then.
 */
export const executeAgent: ExecuteStep = async (context, execution) => {
  const { run } = execution.step;
  if (run.kind !== 'agent') throw new AppError('internal', `A step of kind ${run.kind} is no agent.`);
  const call = buildActionCall(context, { ...execution, step: asChatStep(execution.step, run) });
  const surroundings = { ...execution, services: toActionServices(context.ports) };
  const pursue: ActionExecutor<'chat.completion'> = (work) => pursueTasks(context, execution, { work, run });
  const { modelUse, ...outcome } = await executeBy('chat.completion', pursue, call, surroundings);
  // One that waits counts all its decisions again when it goes on.
  return modelUse === undefined || outcome.status === 'waiting' ? outcome : { ...outcome, modelUse };
};

/** The agent is asked with the settings of a chat step. Its messages are the descriptions of the tasks, which are resolved with them. */
function asChatStep(step: Step, { tasks }: AgentRun): Step {
  const messages = tasks.map(({ description }) => ({ role: 'user', content: description }));
  return { ...step, run: { kind: 'action', action: 'chat.completion', with: { messages } } };
}

interface Agent extends AskedAgent {
  readonly journal: AgentJournal;
  /** The steps of the actions that started before the run was interrupted, by scope. */
  readonly stored: ReadonlyMap<string, readonly DagRunStep[]>;
  readonly results: Map<number, string>;
  /** What the actions have published. */
  upstream: Upstream | undefined;
}

interface Pursuit {
  readonly work: AgentWork;
  readonly run: AgentRun;
}

async function pursueTasks(context: RunContext, execution: StepExecution, pursuit: Pursuit): Promise<StepOutcome> {
  const { work } = pursuit;
  const agent = await releasing(context, () => openAgent(context, execution, pursuit));
  for (const [index, decision] of agent.journal.memo().decisions.entries()) {
    work.onModelUse(decision.use);
    if ((await carryOut(context, execution, agent, index)) === 'waiting') return { status: 'waiting' };
  }
  const ask = createAsker(agent);
  for (;;) {
    const memo = agent.journal.memo();
    const outcome = findEnd(memo);
    if (outcome !== undefined) return outcome;
    const decision = await ask(memo);
    await releasing(context, () => agent.journal.add(decision));
    const done = await carryOut(context, execution, agent, memo.decisions.length);
    if (done === 'waiting') return { status: 'waiting' };
  }
}

async function openAgent(context: RunContext, execution: StepExecution, { work, run }: Pursuit): Promise<Agent> {
  return {
    work,
    tools: await offerSteps(run.steps, createCallableDags(context, execution)),
    journal: await openJournal(context, execution, resolveTasks(run, work)),
    stored: await loadIterations(context, execution),
    results: new Map(),
    upstream: execution.upstream,
  };
}

function resolveTasks({ tasks }: AgentRun, { settings, call }: AgentWork): readonly AgentTask[] {
  return tasks.map(({ name }, index) => {
    const description = settings.messages?.[index]?.content ?? '';
    return { name, description: call.masker?.text(description) ?? description };
  });
}

/** Does what a decision says, unless it is done. `waiting`: a person has to answer. */
async function carryOut(
  context: RunContext,
  execution: StepExecution,
  agent: Agent,
  index: number,
): Promise<'done' | 'waiting'> {
  const { journal } = agent;
  const memo = journal.memo();
  const decision = memo.decisions[index];
  const number = memo.first + index;
  if (decision?.choice.kind === 'action') {
    const { choice, call } = decision;
    const given = parseArguments(call?.arguments ?? '') ?? {};
    const scope = iterationScope(execution, number);
    const end = await act(context, execution, agent, { step: choice.step, given, scope, index });
    if (choice.end !== undefined) return 'done';
    agent.work.log.note(`${choice.step}, run ${choice.run}: ${end.status}`);
    await releasing(context, () => journal.change(index, { ...decision, choice: { ...choice, end } }));
  }
  if (decision?.choice.kind === 'ask_user' && decision.choice.end === undefined) {
    const { choice } = decision;
    const end = await releasing(context, () => askPerson(context, execution, { question: choice.question, number }));
    execution.signal.throwIfAborted();
    if (end === undefined) return 'waiting';
    await releasing(context, () => journal.change(index, { ...decision, choice: { ...choice, end } }));
  }
  return 'done';
}

interface ChosenAction {
  readonly step: string;
  readonly given: JsonObject;
  readonly scope: StepScope;
  /** Of the decision. */
  readonly index: number;
}

/** Executes the step, or reads what it came to. */
async function act(
  context: RunContext,
  execution: StepExecution,
  agent: Agent,
  { step: name, given, scope, index }: ChosenAction,
) {
  const tool = agent.tools.find(({ step }) => step.name === name);
  if (tool === undefined) throw new AppError('internal', `The agent has no step ${name}.`);
  const request = { tool, arguments: given, scope, stored: agent.stored.get(scope), inherited: agent.upstream };
  const { row, text, upstream } = await releasing(context, () => runAction(context, execution, request));
  execution.signal.throwIfAborted();
  agent.results.set(index, text);
  agent.upstream = upstream;
  return { status: row.status, startedAt: toTime(row.startedAt), finishedAt: toTime(row.finishedAt) };
}

/** What cannot be stored or read is no failure of the agent: the next owner of the run resumes it. */
async function releasing<T>(context: RunContext, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (isStoreFailure(error)) context.abandon(error);
    throw error;
  }
}

const toTime = (time: Date | null): string | null => time?.toISOString() ?? null;
