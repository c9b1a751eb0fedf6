import type { GraphStep } from './graph-step';

export interface CriticalPath {
  /** The names in their order. */
  readonly names: readonly string[];
  /** The duration of its steps together. */
  readonly durationMs: number;
}

const open: ReadonlySet<GraphStep['status']> = new Set(['running', 'retrying', 'waiting', 'queued'] as const);

/**
 * Finds the chain of dependent steps that took longest together: a run cannot be shorter than that. Returns
 * `undefined` while a step is running, and where fewer than two steps took any time, which would say nothing.
 */
export function findCriticalPath(steps: readonly GraphStep[]): CriticalPath | undefined {
  if (steps.some(({ status }) => open.has(status))) return undefined;
  const longest = findLongest(steps);
  let end: string | undefined;
  for (const [name, { totalMs }] of longest) {
    if (end === undefined || totalMs > (longest.get(end)?.totalMs ?? 0)) end = name;
  }
  const names: string[] = [];
  for (let name = end; name !== undefined; name = longest.get(name)?.before) names.unshift(name);
  const durations = new Map(steps.map(({ name, durationMs = 0 }) => [name, durationMs]));
  const lasting = names.filter((name) => (durations.get(name) ?? 0) > 0);
  return lasting.length < 2 ? undefined : { names: lasting, durationMs: longest.get(end ?? '')?.totalMs ?? 0 };
}

interface Longest {
  readonly totalMs: number;
  readonly before: string | undefined;
}

/** Returns the longest chain that ends with each step. Steps that depend on a cycle are left out. */
function findLongest(steps: readonly GraphStep[]): ReadonlyMap<string, Longest> {
  const known = new Set(steps.map(({ name }) => name));
  const missing = new Map(steps.map(({ name, depends }) => [name, depends.filter((other) => known.has(other)).length]));
  const followers = new Map<string, GraphStep[]>();
  for (const step of steps) {
    for (const other of step.depends) followers.set(other, [...(followers.get(other) ?? []), step]);
  }
  const longest = new Map<string, Longest>();
  const ready = steps.filter(({ name }) => missing.get(name) === 0);
  // The list grows during the loop.
  for (const { name, depends, durationMs = 0 } of ready) {
    let before: string | undefined;
    for (const other of depends) {
      if (longest.has(other) && (longest.get(other)?.totalMs ?? 0) > (longest.get(before ?? '')?.totalMs ?? -1))
        before = other;
    }
    longest.set(name, { totalMs: durationMs + (longest.get(before ?? '')?.totalMs ?? 0), before });
    for (const follower of followers.get(name) ?? []) {
      const left = (missing.get(follower.name) ?? 0) - 1;
      missing.set(follower.name, left);
      if (left === 0) ready.push(follower);
    }
  }
  return longest;
}
