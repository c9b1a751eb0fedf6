import type { AgentTask, JsonObject } from '@weir/workflow-spec';
import { readAgentMemo, type AgentDecision, type AgentMemo } from '../../model/run-model/agent-memo';
import { commitOwned } from '../../model/ports/run-store';
import type { StepExecution } from '../../scope/loop/step-execution';
import type { RunContext } from '../context/run-context';

/** What an agent has decided in this attempt of the run, as it is stored. */
export interface AgentJournal {
  memo(): AgentMemo;
  /** Returns once the decision is stored. */
  add(decision: AgentDecision): Promise<void>;
  /** Stores what came of a decision. */
  change(index: number, decision: AgentDecision): Promise<void>;
}

/** Resumes what was stored in the same attempt of the run; another attempt starts anew. */
export async function openJournal(
  context: RunContext,
  execution: StepExecution,
  tasks: readonly AgentTask[],
): Promise<AgentJournal> {
  const { scope, position } = execution.stored;
  let memo = toCurrent(await readMemo(context, execution), context.run.attempt, tasks);
  const store = async (decisions: readonly AgentDecision[]): Promise<void> => {
    const changed = { ...memo, decisions };
    const agent = changed as unknown as JsonObject;
    const patches = [{ scope, position, memo: { agent } }];
    await commitOwned(context, { kind: 'steps_changed', lease: context.lease, patches });
    memo = changed;
  };
  return {
    memo: () => memo,
    add: (decision) => store([...memo.decisions, decision]),
    change: (index, decision) => store(memo.decisions.with(index, decision)),
  };
}

function toCurrent(stored: AgentMemo | undefined, attempt: number, tasks: readonly AgentTask[]): AgentMemo {
  if (stored?.attempt === attempt) return stored;
  const first = stored === undefined ? 0 : stored.first + stored.decisions.length;
  return { attempt, first, tasks, decisions: [] };
}

/** The scope of a step that waited, or that a later attempt of the run starts again, has not read what is stored. */
async function readMemo({ ports, run }: RunContext, { stored }: StepExecution): Promise<AgentMemo | undefined> {
  const memos = await ports.runs.readMemos(run.id, stored.scope);
  return readAgentMemo(memos.get(stored.position));
}
