import type { DagRun } from '@weir/workflow-engine/model';
import type { RunCount, RunCounting, RunCounts, RunScan } from './dag-run-repository';
import { comparePositions, type RunTables } from './in-memory-run-tables';

const hourMs = 3_600_000;

export function countRuns(runs: RunTables['runs'], counting: RunCounting): RunCounts {
  const { byHour = false, limit = Infinity } = counting;
  const found = [...runs.values()].filter((run) => isInScan(run, { ...counting, limit: runs.size }));
  const counts = new Map<string, RunCount>();
  const counted = new Map<string, number>();
  for (const run of found.toSorted((left, right) => comparePositions(right, left))) {
    const part = counting.workspaces.named === 'all' ? run.status : `${run.status}/${run.workspace ?? ''}`;
    const inPart = (counted.get(part) ?? 0) + 1;
    counted.set(part, inPart);
    if (inPart > limit) continue;
    const { dagName, status } = run;
    const hour = startOfHour(run);
    const key = `${status}/${byHour ? hour.getTime() : ''}/${dagName}`;
    const count = (counts.get(key)?.count ?? 0) + 1;
    counts.set(key, { dagName, status, ...(byHour ? { hour } : {}), count });
  }
  return { counts: [...counts.values()], isComplete: [...counted.values()].every((count) => count < limit) };
}

function startOfHour({ createdAt }: DagRun): Date {
  return new Date(createdAt.getTime() - (createdAt.getTime() % hourMs));
}

export function isInScan(run: DagRun, { dagName, statuses, from, to, workspaces, after }: RunScan): boolean {
  if (run.depth > 0) return false;
  if (dagName !== undefined && run.dagName !== dagName) return false;
  if (statuses !== undefined && !statuses.includes(run.status)) return false;
  if (from !== undefined && run.createdAt < from) return false;
  if (to !== undefined && run.createdAt >= to) return false;
  if (after !== undefined && comparePositions(run, after) >= 0) return false;
  if (run.workspace === null) return workspaces.unassigned;
  return workspaces.named === 'all' || workspaces.named.includes(run.workspace);
}
