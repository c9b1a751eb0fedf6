import { runStatus, type Clock, type DagRunSummary } from '@weir/workflow-engine/model';
import type { EventType } from '@weir/workflow-contract/schemas';
import type { RandomSource } from '../../adapters/random-source';
import type { QueueReads } from '../queue/store';
import type { DagRunRepository } from '../runs';
import { runLink, writePayload } from './event-payload';
import {
  blockedSubject,
  concerns,
  isListening,
  lateSubject,
  newDelivery,
  staleSubject,
  successSubject,
  type NotificationRepository,
  type Subscription,
} from './subscription';

export interface AlertPorts {
  readonly notifications: NotificationRepository;
  readonly runs: Pick<DagRunRepository, 'listRecent' | 'scan' | 'listSummaries'>;
  readonly queue: Pick<QueueReads, 'listQueues' | 'listWaiting' | 'readPauses'>;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, 'uuid'>;
  /** The address of this server, to which alerts link. */
  readonly publicUrl: string | undefined;
}

const second = 1_000;
const recentRuns = 20;
/** Fewer successes say little about the usual duration of a DAG. */
const neededSuccesses = 3;
const shortestExpectedMs = 5 * 60 * second;
const everywhere = { unassigned: true, named: 'all' } as const;
const page = 500;
/** How long the next run of a queue may wait, in seconds, unless the subscription says otherwise. */
const usualWaitSeconds = 600;
/** Beyond this many active runs, marks of ended ones stay until there are fewer. */
const maxActive = 5_000;
const retainedMarksMs = 3_600 * second;

/** Alerts subscriptions, each once, of runs that do not end and DAGs that do not succeed. */
export async function raiseAlerts(ports: AlertPorts, subscriptions: readonly Subscription[]): Promise<void> {
  const now = ports.clock.now();
  const wanting = (type: EventType) =>
    subscriptions.filter((each) => isListening(each, now) && each.events.includes(type));
  for (const subscription of wanting('dag.stale')) await alertIfStale(ports, subscription);
  const late = wanting('run.late');
  if (late.length > 0) await alertLate(ports, late);
  const ofQueues = wanting('queue.blocked');
  if (ofQueues.length > 0) await alertBlocked(ports, ofQueues);
}

async function alertIfStale({ notifications, clock, random }: AlertPorts, subscription: Subscription): Promise<void> {
  const { id: subscriptionId, dagName, workspace, staleAfterSeconds, createdAt } = subscription;
  if (dagName === null || staleAfterSeconds === null) return;
  const since = (await notifications.findMark(subscriptionId, successSubject(dagName))) ?? createdAt;
  const now = clock.now();
  if (now.getTime() - since.getTime() < staleAfterSeconds * second) return;
  const data = { dagName, workspace, since: since.toISOString(), staleAfterSeconds };
  const payload = writePayload('dag.stale', now, data);
  await notifications.alert(
    { subscriptionId, subject: staleSubject(dagName), at: since },
    newDelivery(subscription, { id: random.uuid(), type: 'dag.stale', payload }, now),
  );
}

/** The reason is `paused`, or `no_worker`: no worker takes the next run, although nothing else of its queue is executed. */
async function alertBlocked(ports: AlertPorts, subscriptions: readonly Subscription[]): Promise<void> {
  const { notifications, queue, clock, random } = ports;
  const all = await queue.listQueues(everywhere);
  const idle = new Set(all.flatMap(({ name, waiting, claimed }) => (waiting > 0 && claimed === 0 ? [name] : [])));
  if (idle.size === 0) return;
  const pauses = await queue.readPauses();
  const now = clock.now();
  for (const [workspace, concerned] of Map.groupBy(subscriptions, (each) => each.workspace)) {
    for (const { name, waiting, since } of await listBlocked(ports, idle, workspace)) {
      for (const subscription of concerned) {
        const { id: subscriptionId, blockedAfterSeconds } = subscription;
        if (now.getTime() - since.getTime() < (blockedAfterSeconds ?? usualWaitSeconds) * second) continue;
        const reason = pauses.has(name) ? 'paused' : 'no_worker';
        const data = { queue: name, waiting, reason, workspace, since: since.toISOString() };
        await notifications.alert(
          { subscriptionId, subject: blockedSubject(name), at: since },
          newDelivery(
            subscription,
            { id: random.uuid(), type: 'queue.blocked', payload: writePayload('queue.blocked', now, data) },
            now,
          ),
        );
      }
    }
  }
}

/** Lists the idle queues in which runs of the workspace wait, with the time since the next one does. */
async function listBlocked({ queue, runs }: AlertPorts, idle: ReadonlySet<string>, workspace: string | null) {
  // Runs of other workspaces are not even counted.
  const workspaces = workspace === null ? everywhere : { unassigned: false, named: [workspace] };
  const blocked: { readonly name: string; readonly waiting: number; readonly since: Date }[] = [];
  for (const { name, waiting } of (await queue.listQueues(workspaces)).filter((use) => idle.has(use.name))) {
    const [next] = await queue.listWaiting({ queueName: name, workspaces, limit: 1 });
    const run = next && (await runs.listSummaries([next.runId])).get(next.runId);
    if (next === undefined || run === undefined) continue;
    const since = new Date(Math.max(beganAt(run).getTime(), next.availableAt.getTime()));
    blocked.push({ name, waiting, since });
  }
  return blocked;
}

async function alertLate(ports: AlertPorts, subscriptions: readonly Subscription[]): Promise<void> {
  const { notifications, clock } = ports;
  const active = await listActive(ports);
  const now = clock.now();
  const expected = await expectedDurations(ports, active, subscriptions);
  for (const run of active) {
    for (const subscription of subscriptions) {
      if (!concerns(subscription, run)) continue;
      const expectedMs = ownExpectation(subscription) ?? expected.get(run.dagName);
      if (expectedMs === undefined || now.getTime() - beganAt(run).getTime() < expectedMs) continue;
      await alertRun(ports, { subscription, run, expectedMs });
    }
  }
  if (active.length >= maxActive) return;
  await notifications.removeLateMarks(active.map(markOf), new Date(now.getTime() - retainedMarksMs));
}

const ownExpectation = ({ lateAfterSeconds }: Subscription): number | undefined =>
  lateAfterSeconds === null ? undefined : lateAfterSeconds * second;

const markOf = ({ id, attempt }: DagRunSummary): string => `${lateSubject}${id}:${attempt}`;

/** Lists queued and running runs; a run that waits for a person is not late by itself. */
async function listActive({ runs }: AlertPorts): Promise<readonly DagRunSummary[]> {
  const statuses = runStatus.all.filter((status) => runStatus.isActive(status) && status !== 'waiting');
  const active: DagRunSummary[] = [];
  for (let after: DagRunSummary | undefined; active.length < maxActive;) {
    const found = await runs.scan({ statuses, workspaces: everywhere, limit: page, after });
    active.push(...found);
    after = found.at(-1);
    if (found.length < page) break;
  }
  return active;
}

async function alertRun(
  { notifications, clock, random, publicUrl }: AlertPorts,
  {
    subscription,
    run,
    expectedMs,
  }: { readonly subscription: Subscription; readonly run: DagRunSummary; readonly expectedMs: number },
): Promise<void> {
  const { dagName, dagRunId, status, workspace } = run;
  const now = clock.now();
  const since = beganAt(run);
  const expectedSeconds = Math.round(expectedMs / second);
  const data = {
    dagName,
    dagRunId,
    status,
    workspace,
    since: since.toISOString(),
    expectedSeconds,
    link: runLink(publicUrl, run),
  };
  const payload = writePayload('run.late', now, data);
  await notifications.alert(
    { subscriptionId: subscription.id, subject: markOf(run), at: since },
    newDelivery(subscription, { id: random.uuid(), type: 'run.late', payload }, now),
  );
}

const beganAt = ({ queuedAt, startedAt, createdAt }: DagRunSummary): Date => queuedAt ?? startedAt ?? createdAt;

/** Returns the expected milliseconds by DAG, for subscriptions that compare runs with the usual duration. */
async function expectedDurations(
  { runs, clock }: AlertPorts,
  active: readonly DagRunSummary[],
  subscriptions: readonly Subscription[],
): Promise<ReadonlyMap<string, number>> {
  const before = clock.now().getTime() - shortestExpectedMs;
  const byHistory = subscriptions.filter(({ lateAfterSeconds }) => lateAfterSeconds === null);
  const names = active
    .filter((run) => beganAt(run).getTime() <= before && byHistory.some((each) => concerns(each, run)))
    .map(({ dagName }) => dagName);
  if (names.length === 0) return new Map();
  const recent = await runs.listRecent([...new Set(names)], recentRuns);
  return new Map(
    [...recent].flatMap(([name, earlier]) => {
      const expected = expectedDuration(earlier);
      return expected === undefined ? [] : [[name, expected] as const];
    }),
  );
}

/** Returns twice the longest success in milliseconds, or `undefined` when there are too few. */
export function expectedDuration(earlier: readonly DagRunSummary[]): number | undefined {
  const durations = earlier.flatMap((run) =>
    runStatus.isSuccessful(run.status) && run.finishedAt !== null
      ? [run.finishedAt.getTime() - beganAt(run).getTime()]
      : [],
  );
  if (durations.length < neededSuccesses) return undefined;
  return Math.max(shortestExpectedMs, 2 * Math.max(...durations));
}
