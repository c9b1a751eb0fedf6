import { AppError, isAppError } from '@weir/foundation';
import type { JsonObject } from '@weir/workflow-spec';
import { askModel } from '../../host/models/ask-model';
import type { ModelMessage, ModelReply, ModelRequest, OfferedTool, ToolCall } from '../../host/models/conversation';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionWork } from '../call/action-executor';
import type { CallableDags } from '../call/callable-dags';
import type { ChatModel } from './chat-models';

/** A model that calls DAGs again and again ends here. */
const maxRounds = 20;
const maxCallsInRound = 16;
const maxResultBytes = 64 * 1024;

/** DAGs by the names under which a model knows them, which have fewer characters than those of DAGs. */
type ToolDags = ReadonlyMap<string, { readonly dag: string; readonly tool: OfferedTool }>;

export interface ToolAnswer extends JsonObject {
  readonly content: string;
  readonly model: string;
  readonly finish_reason: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** The runs that the model has started. */
  readonly calls: readonly { readonly dag: string; readonly dagRunId: string; readonly status: string }[];
}

export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

export interface ToolRequest extends Pick<ModelRequest, 'more'> {
  readonly conversation: readonly ChatMessage[];
  readonly timeoutMs: number;
  readonly retries: number;
}

/**
 * Lets the model start the DAGs that the step offers, each as a child run whose result it reads, until it answers. Throws
 * what `askModel` does, and fails when it does not answer.
 */
export async function askWithTools(
  { settings, services, signal, call, log }: ActionWork<'chat.completion'>,
  model: ChatModel,
  { conversation, more, timeoutMs, retries }: ToolRequest,
): Promise<ToolAnswer> {
  const { dags } = services;
  if (dags === undefined) throw actionFailed('DAGs cannot be called here.');
  const tools = await describeTools(settings.tools ?? [], dags);
  const messages = conversation.map(toModelMessage);
  const access = { protocol: 'openai', ...model } as const;
  const offered = [...tools.values()].map(({ tool }) => tool);
  const isStreamed = settings.stream !== false;
  const calls: ToolAnswer['calls'][number][] = [];
  const options = {
    signal,
    timeoutMs,
    retries,
    maxBytes: call.maxOutputBytes,
    onText: (text: string): void => {
      if (isStreamed) log.out(text);
    },
  };
  const next = async (): Promise<ModelReply> => {
    try {
      return await askModel(access, { messages, tools: offered, more }, options);
    } catch (error) {
      // Another model would start the DAGs again.
      throw calls.length === 0 || !isAppError(error) ? error : noAnswer(error.message, error);
    }
  };
  let [promptTokens, completionTokens] = [0, 0];
  for (let round = 0; round < maxRounds; round += 1) {
    const { content, toolCalls, model: name, finishReason, ...usage } = await next();
    promptTokens += usage.promptTokens;
    completionTokens += usage.completionTokens;
    if (content !== '') log.out(isStreamed ? '\n' : `${content}\n`);
    if (toolCalls.length === 0) {
      const tokens = { prompt_tokens: promptTokens, completion_tokens: completionTokens };
      return { content, model: name, finish_reason: finishReason, ...tokens, calls };
    }
    if (toolCalls.length > maxCallsInRound) throw noAnswer(`The model calls ${toolCalls.length} DAGs at once.`);
    messages.push({ role: 'assistant', content, toolCalls });
    for (const each of toolCalls) {
      const { text, run } = await callDag(each, { tools, dags, signal });
      if (run !== undefined) {
        calls.push(run);
        log.note(`${run.dag} ${run.dagRunId}: ${run.status}\n`);
      }
      messages.push({ role: 'tool', toolCallId: each.id, content: text, isError: run?.status !== 'succeeded' });
    }
  }
  throw noAnswer(`The model has called DAGs in ${maxRounds} turns, and has not answered.`);
}

/** No other model is asked then. */
function noAnswer(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { reason: 'answer_cut_off', cause });
}

async function describeTools(names: readonly string[], dags: CallableDags): Promise<ToolDags> {
  const tools = new Map<string, { dag: string; tool: OfferedTool }>();
  for (const dag of names) {
    const name = dag.replaceAll(/[^\w-]/g, '_').slice(0, 64);
    if (tools.has(name)) throw actionFailed(`Two DAGs would be the tool ${name}.`);
    const { description, parameters } = await dags.describe(dag);
    tools.set(name, { dag, tool: { name, description: description || `Runs the DAG ${dag}.`, parameters } });
  }
  return tools;
}

interface Calling {
  readonly tools: ToolDags;
  readonly dags: CallableDags;
  readonly signal: AbortSignal;
}

interface Called {
  /** For the model. */
  readonly text: string;
  readonly run?: ToolAnswer['calls'][number];
}

/** The model reads what is wrong with its call, and may correct itself. */
async function callDag({ name, arguments: given }: ToolCall, { tools, dags, signal }: Calling): Promise<Called> {
  const found = tools.get(name);
  if (found === undefined) return { text: `There is no tool ${name}.` };
  if (!isJsonObject(given)) return { text: 'The arguments are no JSON object.' };
  try {
    const { dagRunId, status, outputs } = await dags.run(found.dag, given, signal);
    return { text: bounded(JSON.stringify({ status, outputs })), run: { dag: found.dag, dagRunId, status } };
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error)) throw error;
    return { text: error.message };
  }
}

function bounded(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxResultBytes) return text;
  return `${bytes.subarray(0, maxResultBytes).toString('utf8')} [cut off]`;
}

function isJsonObject(text: string): boolean {
  try {
    const found: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof found === 'object' && found !== null && !Array.isArray(found);
  } catch {
    return false;
  }
}

function toModelMessage({ role, content }: ChatMessage): ModelMessage {
  if (role === 'assistant') return { role, content, toolCalls: [] };
  return { role: role === 'system' ? 'system' : 'user', content };
}
