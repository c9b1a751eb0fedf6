import type { TaskSummary } from '@weir/rollout-contract';
import { readCursor, type Digests, type Page, type Session } from '../sessions';

export interface TaskFilter {
  /** Part of the name, whatever its case. */
  readonly text?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface TaskGroup {
  readonly taskId: string;
  readonly sessions: Session[];
  /** Number of the latest session. */
  latest: number;
}

/** A page of the tasks with their sessions together, that with the latest session first. */
export function listTasks(all: readonly Session[], filter: TaskFilter, digests: Digests): Page<TaskSummary> {
  const text = filter.text?.toLowerCase();
  const before = filter.cursor === undefined ? Infinity : readCursor(filter.cursor);
  const groups = groupByTask(all)
    .filter(({ taskId, latest }) => latest < before && (text === undefined || taskId.toLowerCase().includes(text)))
    .sort((one, other) => other.latest - one.latest);
  const shown = groups.slice(0, filter.limit);
  const last = shown.at(-1);
  return {
    items: shown.map((group) => summarise(group, digests)),
    nextCursor: last !== undefined && groups.length > shown.length ? String(last.latest) : null,
  };
}

function groupByTask(all: readonly Session[]): TaskGroup[] {
  const groups = new Map<string, TaskGroup>();
  for (const session of all) {
    const group = groups.get(session.taskId) ?? { taskId: session.taskId, sessions: [], latest: 0 };
    groups.set(session.taskId, group);
    group.sessions.push(session);
    group.latest = Math.max(group.latest, session.number);
  }
  return [...groups.values()];
}

function summarise({ taskId, sessions }: TaskGroup, digests: Digests): TaskSummary {
  const statuses = sessions.map((session) => session.status());
  const rewards = sessions.flatMap((session) => digests.ofSession(session).reward ?? []);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  return {
    task_id: taskId,
    sessions: sessions.length,
    unfinished: statuses.filter(({ state }) => state === 'active' || state === 'ending').length,
    rewarded: rewards.length,
    reward_mean: rewards.length === 0 ? null : sum(rewards) / rewards.length,
    reward_min: rewards.length === 0 ? null : Math.min(...rewards),
    reward_max: rewards.length === 0 ? null : Math.max(...rewards),
    sampled_tokens: sum(statuses.map(({ sampledTokens }) => sampledTokens)),
    quarantined_count: sum(sessions.map((session) => digests.ofSession(session).quarantinedCount)),
    last_used_at: new Date(Math.max(...statuses.map(({ lastUsedAtMs }) => lastUsedAtMs))).toISOString(),
  };
}
