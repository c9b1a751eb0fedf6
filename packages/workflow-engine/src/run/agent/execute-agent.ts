import { AppError } from '@weir/foundation';
import type { AgentRun, AgentTask, Step } from '@weir/workflow-spec';
import { executeBy } from '../../actions/execute-action';
import { isStoreFailure } from '../../model/ports/lease-lost';
import type { DagRunStep } from '../../model/run-model/dag-run';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { StepExecution } from '../../scope/loop/step-execution';
import { buildActionCall } from '../../scope/steps/action-call';
import type { Upstream } from '../../values/outputs/scope-outputs';
import { createCallableDags } from '../children/callable-dags';
import type { ExecuteStep, RunContext } from '../context/run-context';
import { iterationScope, loadIterations } from '../foreach/iterations';
import { toActionServices } from '../steps/action-services';
import { findEnd } from './agent-end';
import { openJournal, type AgentJournal } from './agent-journal';
import { offerSteps } from './agent-tools';
import { createAsker, type AgentWork, type AskedAgent } from './ask-for-decision';
import { parseArguments } from './judge-reply';
import { runAction } from './run-action';

/**
 * Lets the model of the DAG choose one step after another until no task is open. Each decision is stored before it is
 * carried out: an agent that is resumed carries on the last one, and asks only then.
 */
export const executeAgent: ExecuteStep = (context, execution) => {
  const { run } = execution.step;
  if (run.kind !== 'agent') throw new AppError('internal', `A step of kind ${run.kind} is no agent.`);
  const call = buildActionCall(context, { ...execution, step: asChatStep(execution.step, run) });
  const surroundings = { ...execution, services: toActionServices(context.ports) };
  return executeBy('chat.completion', (work) => pursueTasks(context, execution, { work, run }), call, surroundings);
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
    await carryOut(context, execution, agent, index);
  }
  const ask = createAsker(agent);
  for (;;) {
    const memo = agent.journal.memo();
    const outcome = findEnd(memo);
    if (outcome !== undefined) return outcome;
    const decision = await ask(memo);
    await releasing(context, () => agent.journal.add(decision));
    await carryOut(context, execution, agent, memo.decisions.length);
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

/** Executes the action of a decision, unless it has ended. */
async function carryOut(context: RunContext, execution: StepExecution, agent: Agent, index: number): Promise<void> {
  const { journal, tools, stored, results, work } = agent;
  const memo = journal.memo();
  const decision = memo.decisions[index];
  if (decision?.choice.kind !== 'action') return;
  const { choice, call } = decision;
  const tool = tools.find(({ step }) => step.name === choice.step);
  if (tool === undefined) throw new AppError('internal', `The agent has no step ${choice.step}.`);
  const scope = iterationScope(execution, memo.first + index);
  const given = parseArguments(call?.arguments ?? '') ?? {};
  const request = { tool, arguments: given, scope, stored: stored.get(scope), inherited: agent.upstream };
  const { row, text, upstream } = await releasing(context, () => runAction(context, execution, request));
  execution.signal.throwIfAborted();
  results.set(index, text);
  agent.upstream = upstream;
  if (choice.end !== undefined) return;
  work.log.note(`${choice.step}, run ${choice.run}: ${row.status}`);
  const end = { status: row.status, startedAt: toTime(row.startedAt), finishedAt: toTime(row.finishedAt) };
  await releasing(context, () => journal.change(index, { ...decision, choice: { ...choice, end } }));
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
