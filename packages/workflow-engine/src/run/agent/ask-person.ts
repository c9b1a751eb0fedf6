import { askDag, type JsonObject } from '@weir/workflow-spec';
import type { NodeStatus } from '../../model/statuses/node-status';
import type { StepExecution } from '../../scope/loop/step-execution';
import { toLocalSource } from '../children/child-source';
import { runChild } from '../children/run-child';
import type { RunContext } from '../context/run-context';

interface Question {
  readonly question: string;
  /** Of its decision: a question that is asked again is another one. */
  readonly number: number;
}

/** Asks by a child run with a human task. Returns `undefined` while nobody has answered. */
export async function askPerson(
  context: RunContext,
  execution: StepExecution,
  { question, number }: Question,
): Promise<{ readonly status: NodeStatus; readonly answer: string } | undefined> {
  const source = toLocalSource(askDag, context.run);
  const params = JSON.stringify({ question });
  const call = { dag: askDag.name, source, params, isOneOfMany: false, repetition: number };
  const { status, result } = await runChild(context, execution, call);
  if (status === 'waiting') return undefined;
  const { answer } = (result.outputs ?? {}) as JsonObject;
  return { status, answer: typeof answer === 'string' ? answer : '' };
}
