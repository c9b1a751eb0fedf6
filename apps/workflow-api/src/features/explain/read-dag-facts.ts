import { runStatus, type Clock, type DagRunSummary } from '@weir/workflow-engine/model';
import { formatFinding, type Dag } from '@weir/workflow-spec';
import type { FindCalendar, ScheduleTimes } from '@weir/workflow-spec/schedule';
import { z } from 'zod';
import { canSee } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import type { DagRunRepository } from '../runs';
import type { DagFlagRepository, VisibleDag } from '../dags';
import type { EventLogRepository } from '../event-log';
import { listOccurrenceRunIds, schedulerKey, skipReasons, type OccurrencesSkipped } from '../scheduler';
import type { SchedulerStateRepository } from '../scheduler';
import { checkCalendars } from '../calendars';
import type { DagFacts, OccurrenceFacts, SeenRuns } from './explain-dag';
import type { Liveness } from './liveness';

export interface DagFactReader {
  readonly runs: Pick<DagRunRepository, 'find' | 'scan'>;
  readonly flags: Pick<DagFlagRepository, 'find'>;
  readonly eventLog: Pick<EventLogRepository, 'list'>;
  readonly schedulerState: Pick<SchedulerStateRepository, 'read'>;
  readonly liveness: Liveness;
  readonly findCalendar: FindCalendar;
  readonly times: ScheduleTimes;
  readonly clock: Clock;
}

const everywhere = { unassigned: true, named: 'all' } as const;
const scannedRuns = 100;
const scannedSkips = 500;
const minuteMs = 60_000;
/** A skip is recorded within this time after its occurrence, unless no scheduler was active. */
const recordedWithinMs = 10 * minuteMs;

export async function readDagFacts(
  { runs, flags, liveness, findCalendar, times, clock }: DagFactReader,
  { dag, findings }: Pick<VisibleDag, 'dag' | 'findings'>,
  { fileName, principal }: { readonly fileName: string; readonly principal: Principal },
): Promise<DagFacts & { readonly next: Date | undefined }> {
  const statuses = runStatus.all.filter(runStatus.isActive);
  const [flag, isSchedulerAlive, active] = await Promise.all([
    flags.find(fileName),
    liveness.isSchedulerAlive(),
    runs.scan({ dagName: dag.name, statuses, workspaces: everywhere, limit: scannedRuns }),
  ]);
  const next = times.next(dag.schedule, clock.now());
  return {
    errors: findings.filter(({ severity }) => severity === 'error').map(formatFinding),
    hasSchedule: next !== undefined,
    hasTriggers: dag.triggers !== undefined,
    calendars: checkCalendars(dag.schedule, findCalendar, clock.now()),
    overlap: dag.overlapPolicy ?? 'skip',
    flag,
    isSchedulerAlive,
    next,
    active: separate(active, principal),
  };
}

export async function readOccurrenceFacts(
  reader: DagFactReader,
  dag: Pick<Dag, 'name' | 'schedule'>,
  { time, principal }: { readonly time: Date; readonly principal: Principal },
): Promise<OccurrenceFacts> {
  const { runs, times, clock, schedulerState } = reader;
  const [found, watermarks, skipped, newest] = await Promise.all([
    Promise.all(listOccurrenceRunIds(dag.name, time).map((id) => runs.find(dag.name, id))),
    schedulerState.read(),
    findSkip(reader, dag.name, time),
    runs.scan({ dagName: dag.name, to: new Date(time.getTime() + 1), workspaces: everywhere, limit: scannedRuns }),
  ]);
  const activeThen = newest.filter(({ finishedAt, status }) =>
    finishedAt === null ? runStatus.isActive(status) : finishedAt >= time,
  );
  const moment = { after: new Date(time.getTime() - 1), to: time };
  const run = found.find((one) => one !== undefined);
  return {
    time,
    at: clock.now(),
    skipped,
    isScheduled: times.last(dag.schedule, moment, 1).length > 0,
    excluded: times.excluded(dag.schedule, moment, 1)[0]?.reason,
    run: run !== undefined && canSee(principal, run.workspace ?? undefined) ? run : undefined,
    activeThen: separate(activeThen, principal),
    settledUntil: watermarks.get(schedulerKey),
  };
}

/** Lists the last occurrences without a run, newest first. */
export async function listSkips(
  { eventLog }: Pick<DagFactReader, 'eventLog'>,
  dagName: string,
  limit: number,
): Promise<readonly OccurrencesSkipped[]> {
  const entries = await eventLog.list({ kind: 'schedule', dagName }, { limit });
  return entries.map(({ data }) => ({ dagName, ...SkipData.parse(data) }));
}

/** Several schedulers record the same reason, so any entry will do. */
async function findSkip(
  { eventLog }: Pick<DagFactReader, 'eventLog'>,
  dagName: string,
  time: Date,
): Promise<OccurrencesSkipped | undefined> {
  const soon = new Date(time.getTime() + recordedWithinMs);
  for (const filter of [{ from: time, to: soon }, { from: soon }]) {
    const entries = await eventLog.list({ kind: 'schedule', dagName, ...filter }, { limit: scannedSkips });
    const skips = entries.map(({ data }) => ({ dagName, ...SkipData.parse(data) }));
    const skip = skips.find(({ first, last }) => first <= time && time <= last);
    if (skip !== undefined) return skip;
  }
  return undefined;
}

const SkipData = z.object({
  reason: z.enum(skipReasons),
  first: z.coerce.date(),
  last: z.coerce.date(),
  count: z.int(),
  workspace: z.string().nullable().default(null),
  error: z.string().optional(),
});

function separate(runs: readonly DagRunSummary[], principal: Principal): SeenRuns {
  const visible = runs.filter(({ workspace }) => canSee(principal, workspace ?? undefined));
  return { visible, others: runs.length - visible.length };
}
