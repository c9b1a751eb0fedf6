import type { SessionSummary, TaskSummary } from '@weir/rollout-contract';
import type { Prices } from '../../config';
import { readCursor, type Page } from '../sessions';
import { sumUsage } from './model-usage';

export interface TaskFilter {
  /** Matches a part of the name and ignores case. */
  readonly text?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A session of this or another process. */
export interface TaskSession {
  readonly taskId: string;
  readonly number: number;
  readonly present: () => SessionSummary;
}

interface TaskGroup {
  readonly taskId: string;
  readonly sessions: TaskSession[];
  /** The number of the latest session. */
  latest: number;
}

/** A page of the tasks with their sessions together, that with the latest session first. */
export function listTasks(all: readonly TaskSession[], filter: TaskFilter, prices: Prices): Page<TaskSummary> {
  const text = filter.text?.toLowerCase();
  const before = filter.cursor === undefined ? Infinity : readCursor(filter.cursor);
  const groups = groupByTask(all)
    .filter(({ taskId, latest }) => latest < before && (text === undefined || taskId.toLowerCase().includes(text)))
    .sort((one, other) => other.latest - one.latest);
  const shown = groups.slice(0, filter.limit);
  const last = shown.at(-1);
  return {
    items: shown.map((group) => summarise(group, prices)),
    nextCursor: last !== undefined && groups.length > shown.length ? String(last.latest) : null,
  };
}

function groupByTask(all: readonly TaskSession[]): TaskGroup[] {
  const groups = new Map<string, TaskGroup>();
  for (const session of all) {
    const group = groups.get(session.taskId) ?? { taskId: session.taskId, sessions: [], latest: 0 };
    groups.set(session.taskId, group);
    group.sessions.push(session);
    group.latest = Math.max(group.latest, session.number);
  }
  return [...groups.values()];
}

function summarise({ taskId, sessions }: TaskGroup, prices: Prices): TaskSummary {
  const shown = sessions.map((session) => session.present());
  const rewards = shown.flatMap(({ reward }) => reward ?? []);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  return {
    task_id: taskId,
    sessions: shown.length,
    unfinished: shown.filter(({ state }) => state === 'active' || state === 'ending').length,
    rewarded: rewards.length,
    reward_mean: rewards.length === 0 ? null : sum(rewards) / rewards.length,
    reward_min: rewards.length === 0 ? null : Math.min(...rewards),
    reward_max: rewards.length === 0 ? null : Math.max(...rewards),
    sampled_tokens: sum(shown.map((session) => session.sampled_tokens)),
    quarantined_count: sum(shown.map((session) => session.quarantined_count)),
    last_used_at: new Date(Math.max(...shown.map((session) => Date.parse(session.last_used_at)))).toISOString(),
    models: sumUsage(shown, prices),
  };
}
