import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import { runStatus, type Clock, type DagRunSummary } from '@weir/workflow-engine/model';
import { visibleWorkspaces } from '../../../access/access-rules';
import type { Principal } from '../../../access/principal';
import type { RunScan } from '../store/dag-run-repository';
import { parseLabelFilter } from './label-filter';

/** The filter of a request for runs. */
export interface RunFilter extends WorkspaceQuery {
  readonly status?: readonly number[] | undefined;
  readonly fromDate?: number | undefined;
  readonly toDate?: number | undefined;
  readonly dagRunId?: string | undefined;
  /** A part of the DAG's name. */
  readonly name?: string | undefined;
  /** The whole name of the DAG. */
  readonly exactName?: string | undefined;
  readonly labels?: string | undefined;
  readonly tags?: string | undefined;
  readonly minDurationSec?: number | undefined;
  readonly maxDurationSec?: number | undefined;
}

export type RunMatcher = (run: DagRunSummary) => boolean;

/** Returns the workspaces of the filter that the principal may see. Throws `workspace_not_found`. */
export function filteredWorkspaces(filter: RunFilter, principal: Principal): RunScan['workspaces'] {
  return visibleWorkspaces(principal, workspaceSelection(filter));
}

/** Returns the part of a filter that indexes serve. */
export function toScan(
  { status, toDate, exactName }: RunFilter,
  from: Date | undefined,
  workspaces: RunScan['workspaces'],
): Omit<RunScan, 'limit' | 'after'> {
  return {
    ...(status === undefined || status.length === 0
      ? {}
      : { statuses: status.flatMap((number) => runStatus.fromNumber(number) ?? []) }),
    dagName: exactName,
    from,
    to: toDate === undefined ? undefined : new Date(toDate * 1000),
    workspaces,
  };
}

/** Without dates only today counts, in the time zone of this server. */
export function readStart({ fromDate, toDate }: RunFilter, clock: Clock): Date | undefined {
  if (fromDate !== undefined) return new Date(fromDate * 1000);
  if (toDate !== undefined) return undefined;
  const midnight = clock.now();
  midnight.setHours(0, 0, 0, 0);
  return midnight;
}

/** Returns the part of a filter that no index serves. */
export function runMatcher(filter: RunFilter, now: Date): RunMatcher {
  const { dagRunId = '', labels, tags } = filter;
  const hasLabels = parseLabelFilter(labels?.trim() ? labels : tags);
  const hasName = nameMatcher(filter);
  const hasDuration = durationMatcher(filter, now);
  return (run) =>
    run.dagRunId.includes(dagRunId) &&
    hasName(run.dagName) &&
    (hasLabels === undefined || hasLabels(run.labels)) &&
    hasDuration(run);
}

/** Whether a run is selected by its status, times, workspace and DAG alone. */
export function selectsByIndex({ dagRunId, labels, tags, minDurationSec, maxDurationSec }: RunFilter): boolean {
  const hasText = [dagRunId, labels, tags].some((text) => text !== undefined && text !== '');
  return !hasText && minDurationSec === undefined && maxDurationSec === undefined;
}

export function nameMatcher({ name = '' }: RunFilter): (dagName: string) => boolean {
  const searched = name.toLowerCase();
  return (dagName) => dagName.toLowerCase().includes(searched);
}

function durationMatcher({ minDurationSec, maxDurationSec }: RunFilter, now: Date): RunMatcher {
  if (minDurationSec === undefined && maxDurationSec === undefined) return () => true;
  const shortestMs = (minDurationSec ?? 0) * 1000;
  const longestMs = maxDurationSec === undefined ? Infinity : maxDurationSec * 1000;
  return ({ startedAt, finishedAt }) => {
    if (startedAt === null) return false;
    const durationMs = (finishedAt ?? now).getTime() - startedAt.getTime();
    return durationMs >= shortestMs && durationMs <= longestMs;
  };
}
