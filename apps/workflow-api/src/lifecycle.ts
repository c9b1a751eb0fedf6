import type { JsRunner } from './js-run';
import type { DagParsers } from './dag-parser';
import type { Agent } from './features/agent';
import type { CalendarBook } from './features/calendars';
import type { BackfillRunner } from './features/backfill';
import type { DagRunRepository } from './features/runs';
import type { DagCatalog } from './features/dags';
import type { AuditTrail } from './features/audit';
import type { EventRecorder } from './features/event-log';
import type { QueueDriver } from './features/queue/store';
import type { GitSync } from './features/git-sync';
import type { Notifications, OutboxSignal } from './features/notifications';
import type { RunIndexer } from './features/run-search';
import type { Retention } from './features/retention';
import type { Worker } from './features/worker';
import type { AutomaticRetries } from './features/runs/rerun/automatic-retries';
import type { FileTriggers } from './features/triggers';
import type { Scheduler } from './features/scheduler';
import type { Secrets } from './features/secrets';
import type { ResourceHistory } from './features/system';
import type { Role } from './roles';

export interface LifecyclePorts {
  readonly calendars: Pick<CalendarBook, 'refresh'>;
  readonly catalog: DagCatalog;
  readonly queue: QueueDriver<never>;
  readonly runs: Pick<DagRunRepository, 'watch'>;
  readonly queues: ReadonlyMap<string, number>;
  readonly worker: Worker;
  readonly scheduler: Scheduler;
  readonly fileTriggers: FileTriggers;
  readonly retries: AutomaticRetries;
  readonly backfillRunner: BackfillRunner;
  readonly retention: Retention;
  readonly parsers: DagParsers;
  readonly jsRunner: JsRunner;
  readonly resources: ResourceHistory;
  readonly events: EventRecorder;
  readonly storedSecrets: Pick<Secrets, 'reseal'>;
  readonly audit: AuditTrail;
  readonly runIndexer: RunIndexer;
  readonly sentEvents: Pick<Notifications, 'start' | 'stop' | 'aliveCalls'>;
  readonly outboxSignal: OutboxSignal;
  readonly sync: Pick<GitSync, 'start' | 'stop'>;
  readonly agent: Pick<Agent, 'stop'>;
}

export interface ApplicationLifecycle {
  readonly name: string;
  /** Returns the roles that `GET /health` reports; empty before the start, and in a process that executes single runs. */
  readonly roles: () => readonly Role[];
  /** Starts everything that these roles need. */
  start(roles: readonly Role[]): Promise<void>;
  /** Starts a process for single runs: it claims none from a queue, and reads the list of DAGs on demand. */
  startForSingleRuns(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the resources of each role in order, and stops them in reverse. */
export function createLifecycle(ports: LifecyclePorts): ApplicationLifecycle {
  const { calendars, catalog, queue, queues, runs, worker, scheduler, fileTriggers, retries, backfillRunner } = ports;
  const { retention, parsers, jsRunner, resources, events, storedSecrets, audit, sentEvents, outboxSignal } = ports;
  const { sync, agent, runIndexer } = ports;
  let active: readonly Role[] = [];
  let isKeeper = true;
  let unwatch: () => Promise<void> = () => Promise.resolve();
  const watch = async (): Promise<void> => {
    unwatch = await runs.watch(() => {
      retries.wake();
      outboxSignal.raise();
    });
  };
  return {
    name: 'application',
    roles: () => active,
    start: async (roles) => {
      active = roles;
      const isWorker = roles.includes('worker');
      const isScheduler = roles.includes('scheduler');
      // Tasks of the whole installation are not left to a worker alone, which may lack the rights.
      isKeeper = isScheduler || roles.includes('api');
      if (isKeeper) await storedSecrets.reseal();
      if (isKeeper) audit.start();
      if (isKeeper) runIndexer.start();
      if (isKeeper) events.startPruning();
      await watch();
      // The next runs of DAGs depend on them.
      if (isKeeper) await calendars.refresh();
      // The scheduler adds DAGs while the catalog reads them.
      if (isScheduler) await scheduler.prepare();
      if (isKeeper) await catalog.start();
      if (roles.includes('api')) await resources.start();
      if (isKeeper) sentEvents.start();
      // A worker alone leaves the limits to the processes that decide about runs.
      if (isKeeper) await queue.setLimits(queues);
      if (isWorker) await worker.start({ claimsQueued: true });
      if (isScheduler) {
        scheduler.start();
        fileTriggers.start();
        retries.start();
        backfillRunner.start();
        retention.start();
        sync.start();
        sentEvents.aliveCalls.start();
      }
    },
    startForSingleRuns: async () => {
      events.startPruning();
      await watch();
      await worker.start({ claimsQueued: false });
    },
    stop: async () => {
      const working = [
        agent,
        sentEvents.aliveCalls,
        scheduler,
        fileTriggers,
        retries,
        backfillRunner,
        sync,
        worker,
        sentEvents,
      ];
      for (const part of working) await part.stop();
      await unwatch();
      await retention.stop();
      await resources.stop();
      await events.stop();
      await runIndexer.stop();
      if (isKeeper) await audit.stop();
      // The catalog would otherwise wait for the files that it has given to the parser.
      await Promise.all([catalog.stop(), parsers.stop(), jsRunner.stop()]);
    },
  };
}
