import { createHash } from 'node:crypto';
import { isApiError } from '@weir/workflow-client';
import type { ToolCall } from '@weir/workflow-engine';
import { z } from 'zod';
import type { Tool } from '../../mcp/tool';
import { TurnEnded } from './agent-errors';
import type { PendingPrompt, ToolResult } from './agent-session';
import { askUser, findTool, isToolEnabled } from './agent-tools';
import type { NextStep } from './conversation';
import type { Turn, TurnPorts } from './turn-ports';
import type { StepResult, TurnState } from './turn-state';

type Call = Extract<NextStep, { readonly kind: 'call' }>;

/** Limits the characters of a result that the model gets. */
const maxResult = 64_000;

/**
 * Executes a call of the model with the rights of the person, or asks the person first. A refusal is a result too:
 * the model reads the reason.
 */
export async function executeCall(
  ports: TurnPorts,
  turn: Turn,
  _: TurnState,
  { call, isApproved }: Call,
): Promise<StepResult> {
  const { toolPolicy } = await ports.agentSettings.config();
  const isEnabled = isToolEnabled(call.name, toolPolicy.tools);
  if (!isEnabled) return refused(call, `There is no tool "${call.name}".`);
  const input = parseArguments(call);
  if (input === undefined) return refused(call, 'The arguments are not a JSON object.');
  if (call.name === askUser.name) return askPerson(ports, call, input);
  const tool = findTool(call.name);
  if (tool === undefined) return refused(call, `There is no tool "${call.name}".`);
  const checked = tool.input.safeParse(input);
  if (!checked.success) return refused(call, z.prettifyError(checked.error));
  if (!tool.isReadOnly && isApproved === undefined) return askApproval(ports, tool, call, input);
  if (!tool.isReadOnly && isApproved === false) return refused(call, 'The person has refused this call.');
  return answered(await perform(turn, tool, call, withRunId(turn, tool, call, input)));
}

async function perform({ client }: Turn, tool: Tool, call: ToolCall, input: object): Promise<ToolResult> {
  try {
    const text = JSON.stringify(await tool.call(client, input));
    return { toolCallId: call.id, content: cut(text), isError: false };
  } catch (error) {
    if (!isApiError(error)) throw error;
    // The turn ends, because the author of the message is no longer signed in.
    if (error.status === 401) throw new TurnEnded('Your sign-in is no longer valid. Sign in and write again to go on.');
    const reason = error.reason === undefined ? '' : ` (${error.reason})`;
    return { toolCallId: call.id, content: cut(`${error.message}${reason}`), isError: true };
  }
}

/** The id of the run follows from the call, so that a start that is repeated after an interruption finds its run. */
function withRunId({ sessionId }: Turn, tool: Tool, call: ToolCall, input: object): object {
  if (tool.name !== 'start_dag' || ('dagRunId' in input && input.dagRunId !== undefined)) return input;
  const digest = createHash('sha256').update(`${sessionId}\n${call.id}`).digest('hex');
  return { ...input, dagRunId: `agent-${digest.slice(0, 32)}` };
}

function askPerson({ random }: TurnPorts, call: ToolCall, input: object): StepResult {
  const checked = askUser.input.safeParse(input);
  if (!checked.success) return refused(call, z.prettifyError(checked.error));
  const { question, options, multiSelect } = checked.data;
  return prompted({
    promptId: random.uuid(),
    toolCallId: call.id,
    question,
    multiSelect,
    allowFreeText: true,
    ...(options === undefined ? {} : { options: options.map((label, index) => ({ id: `${index + 1}`, label })) }),
    promptType: 'general',
  });
}

function askApproval({ random }: TurnPorts, tool: Tool, call: ToolCall, input: object): StepResult {
  return prompted({
    promptId: random.uuid(),
    toolCallId: call.id,
    multiSelect: false,
    allowFreeText: false,
    question: `${tool.title}?`,
    options: [
      { id: approve, label: 'Yes', description: 'This call is executed once, with your rights.' },
      { id: 'reject', label: 'No' },
    ],
    promptType: 'command_approval',
    // Shows the call itself, not the model's description of it.
    command: `${call.name} ${JSON.stringify(input)}`,
  });
}

/** The option that permits a call. */
export const approve = 'approve';

function prompted(prompt: PendingPrompt): StepResult {
  const { toolCallId: _, ...userPrompt } = prompt;
  return {
    message: { type: 'user_prompt', content: prompt.question, data: { userPrompt } },
    changes: { prompt, release: true },
  };
}

function refused({ id }: ToolCall, content: string): StepResult {
  return answered({ toolCallId: id, content, isError: true });
}

function answered(result: ToolResult): StepResult {
  return { message: { type: 'user', content: '', data: { toolResults: [result] } } };
}

function parseArguments({ arguments: text }: ToolCall): object | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.length <= maxResult ? text : `${text.slice(0, maxResult)}\n(cut off after ${maxResult} characters)`;
}
