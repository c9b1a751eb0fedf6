import type { JsonObject } from '@weir/workflow-spec';
import {
  agentTaskStatuses,
  settleTasks,
  type AgentChoice,
  type AgentDecision,
  type AgentMemo,
  type AgentTaskStatus,
} from '../../model/run-model/agent-memo';
import { askTool, settleTool, type StepTool } from './agent-tools';

/** Runs of one step. */
const maxRuns = 5;
const maxQuestions = 5;

/** Says what a reply asks for. What is wrong with a call is told to the model, which may correct itself. */
export function judgeReply(call: AgentDecision['call'], tools: readonly StepTool[], memo: AgentMemo): AgentChoice {
  if (call === undefined) return { kind: 'stalled' };
  const given = parseArguments(call.arguments);
  if (given === undefined) return rejected('The arguments are no JSON object.');
  if (call.name === settleTool.name) return judgeTask(given, memo);
  if (call.name === askTool.name) return judgeQuestion(given, memo);
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return rejected(`There is no tool ${call.name}.`);
  const { name: step } = tool.step;
  const runs = memo.decisions.filter(({ choice }) => choice.kind === 'action' && choice.step === step).length;
  if (runs >= maxRuns)
    return rejected(`${tool.name} has run ${maxRuns} times, which is the limit: choose differently.`);
  return { kind: 'action', step, run: runs + 1 };
}

function judgeQuestion({ question }: JsonObject, { decisions }: AgentMemo): AgentChoice {
  if (typeof question !== 'string' || question.trim() === '') return rejected('The question is missing.');
  const asked = decisions.filter(({ choice }) => choice.kind === 'ask_user').length;
  if (asked < maxQuestions) return { kind: 'ask_user', question };
  return rejected(`People were asked ${maxQuestions} times, which is the limit: choose differently.`);
}

function judgeTask({ task: name, status, reason }: JsonObject, memo: AgentMemo): AgentChoice {
  const tasks = settleTasks(memo);
  const task = tasks.find((each) => each.name === name);
  if (task === undefined)
    return rejected(`There is no such task; the tasks are: ${tasks.map((each) => each.name).join(', ')}.`);
  if (!isTaskStatus(status)) return rejected(`The status must be one of: ${agentTaskStatuses.join(', ')}.`);
  if (task.status === status) return rejected(`The task is ${status} already.`);
  return { kind: 'task_status', task: task.name, status, reason: typeof reason === 'string' ? reason : '' };
}

function isTaskStatus(value: unknown): value is AgentTaskStatus {
  return (agentTaskStatuses as readonly unknown[]).includes(value);
}

const rejected = (reason: string): AgentChoice => ({ kind: 'rejected', reason });

/** Returns `undefined` for what is no object. */
export function parseArguments(text: string): JsonObject | undefined {
  try {
    const found: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as JsonObject) : undefined;
  } catch {
    // The model has written it.
    return undefined;
  }
}
