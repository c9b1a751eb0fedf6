import { asObject } from '@weir/foundation';
import type { AgentTask, JsonObject, JsonValue } from '@weir/workflow-spec';
import type { NodeStatus } from '../statuses/node-status';
import type { ModelUse } from './model-use';

export const agentTaskStatuses = ['open', 'completed', 'skipped', 'failed'] as const;
export type AgentTaskStatus = (typeof agentTaskStatuses)[number];

export interface AgentTaskState extends AgentTask {
  readonly status: AgentTaskStatus;
  /** Given by the model with the status. */
  readonly reason?: string;
}

/** What the model has decided in one turn, and what came of it. */
export type AgentChoice =
  | {
      readonly kind: 'action';
      readonly step: string;
      /** Counts the runs of this step, from 1. */
      readonly run: number;
      /** Missing until the action has ended. */
      readonly end?: {
        readonly status: NodeStatus;
        readonly startedAt: string | null;
        readonly finishedAt: string | null;
      };
    }
  | { readonly kind: 'task_status'; readonly task: string; readonly status: AgentTaskStatus; readonly reason: string }
  | {
      readonly kind: 'ask_user';
      readonly question: string;
      /** Missing until a person has answered, or the question was withdrawn. */
      readonly end?: { readonly status: NodeStatus; readonly answer: string };
    }
  /** Nothing is done for a call that is wrong or exceeds a limit; the model reads the reason. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** A reply without a call. */
  | { readonly kind: 'stalled' };

export interface AgentDecision {
  readonly at: string;
  /** What the model wrote beside its call. */
  readonly content: string;
  /** Missing in a reply without a call. */
  readonly call?: { readonly id: string; readonly name: string; readonly arguments: string };
  /** The reply as the provider of this model wants it back; see `ModelReply`. */
  readonly parts?: readonly JsonObject[];
  readonly use: ModelUse;
  readonly choice: AgentChoice;
}

/** What an agent stores to resume from. The results of its actions are in their own outputs and logs. */
export interface AgentMemo {
  /** The attempt of the run, each of which starts anew. */
  readonly attempt: number;
  /** The number of the first decision: those of earlier attempts were counted before. */
  readonly first: number;
  /** Their descriptions have their references replaced, as the model reads them. */
  readonly tasks: readonly AgentTask[];
  readonly decisions: readonly AgentDecision[];
}

/** Returns `undefined` for what is no memo of an agent. Only the engine stores memos, so its parts are not checked. */
export function readAgentMemo(memo: JsonValue | undefined): AgentMemo | undefined {
  return asObject(asObject(memo)?.agent) as AgentMemo | undefined;
}

/** Returns the tasks as the last decision about each has left them. */
export function settleTasks({ tasks, decisions }: Pick<AgentMemo, 'tasks' | 'decisions'>): readonly AgentTaskState[] {
  const settled = new Map(
    decisions.flatMap(({ choice }) => (choice.kind === 'task_status' ? [[choice.task, choice] as const] : [])),
  );
  return tasks.map((task) => {
    const { status = 'open', reason } = settled.get(task.name) ?? {};
    return { ...task, status, ...(reason === undefined ? {} : { reason }) };
  });
}
