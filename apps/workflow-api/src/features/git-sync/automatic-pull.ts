import type { BoundCall, Logger, Resource } from '@weir/service-kit';
import { workflowContract } from '@weir/workflow-contract';
import type { Clock, Timer } from '@weir/workflow-engine/model';
import { pause } from '../../adapters/pause';
import type { AuditTrail } from '../audit';
import { createServerPrincipal, type Principal } from '../../access/principal';
import { createFailureReport } from '../../adapters/failure-report';
import type { GitSyncStore } from './git-sync-store';
import type { LocalFiles } from './local-files';
import { pull } from './pull';
import type { SyncConfig } from './sync-config';
import { describePull } from './sync-service';
import type { WithSession } from './sync-session';

export interface AutomaticPullPorts {
  readonly config: SyncConfig;
  readonly gitSync: Pick<GitSyncStore, 'read'>;
  readonly files: LocalFiles;
  readonly withSession: WithSession;
  readonly audit: Pick<AuditTrail, 'openRecord' | 'seal'>;
  /** Whether other processes may change the settings. */
  readonly isShared: boolean;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}

/** Pulls without a person's request. */
export interface AutomaticPull extends Resource {
  /** Begins to follow the settings; schedulers call this. */
  start(): void;
  /** Reads the settings now. */
  wake(): void;
  /** Pulls once, after the pull in progress. */
  pullSoon(): void;
}

/** The author of changes that no person has made. */
export const serverName = 'git-sync';
const idleMs = 30_000;
const failedMs = 60_000;

export function createAutomaticPull(ports: AutomaticPullPorts): AutomaticPull {
  const { config, timer, logger, isShared } = ports;
  const stopping = new AbortController();
  const report = createFailureReport(logger, {
    failed: 'the repository could not be pulled',
    succeeded: 'the repository can be pulled again',
  });
  let woken = new AbortController();
  let loop: Promise<void> | undefined;

  const pullReported = (): Promise<boolean> =>
    pullAsServer(ports).then(
      () => {
        report.succeeded();
        return true;
      },
      (error: unknown) => {
        if (!stopping.signal.aborted) report.failed(error);
        return false;
      },
    );
  /** Returns the time until the next tick. */
  const tick = async (isFirst: boolean): Promise<number> => {
    const { enabled, autoSync } = await config.readSettings();
    if (!enabled || !autoSync.enabled) return isShared ? idleMs : Infinity;
    const dueMs = isFirst && autoSync.onStartup ? 0 : await msUntilDue(ports, autoSync.interval * 1000);
    if (dueMs > 0) return isShared ? Math.min(dueMs, idleMs) : dueMs;
    const isPulled = await pullReported();
    return isPulled ? Math.min(autoSync.interval * 1000, isShared ? idleMs : Infinity) : failedMs;
  };
  const keepTicking = async (): Promise<void> => {
    let isFirst = true;
    while (!stopping.signal.aborted) {
      woken = new AbortController();
      const pauseMs = await tick(isFirst).catch((error: unknown) => {
        report.failed(error);
        return failedMs;
      });
      isFirst = false;
      await pause(timer, Math.min(pauseMs, maxTimerMs), AbortSignal.any([stopping.signal, woken.signal]));
    }
  };
  const soon = createSoon(pullReported, stopping.signal);
  return {
    name: 'git sync',
    pullSoon: soon.request,
    wake: () => woken.abort(),
    start: () => {
      loop ??= keepTicking();
    },
    stop: async () => {
      stopping.abort();
      await loop;
      await soon.isDone();
    },
  };
}

/** Does work once for all requests that come before it begins. */
function createSoon(work: () => Promise<unknown>, stopping: AbortSignal) {
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  const request = (): void => {
    if (running !== undefined) {
      isAskedAgain = true;
      return;
    }
    running = work().then(() => {
      running = undefined;
      if (!isAskedAgain || stopping.aborted) return;
      isAskedAgain = false;
      request();
    });
  };
  return { request, isDone: () => running };
}

const maxTimerMs = 2_147_483_647;

/** Pulls of people and of other schedulers count too. */
async function msUntilDue({ gitSync, clock }: AutomaticPullPorts, intervalMs: number): Promise<number> {
  const { lastSyncAt } = await gitSync.read();
  return lastSyncAt === undefined ? 0 : lastSyncAt.getTime() + intervalMs - clock.now().getTime();
}

/** The call that nobody makes. */
const call: BoundCall<Principal> = {
  endpoint: workflowContract.syncPull,
  requestId: '',
  clientAddress: '',
  input: { params: undefined, query: undefined, body: undefined },
  principal: createServerPrincipal(serverName),
};

/** A pull that changes nothing here is not recorded. */
async function pullAsServer({ withSession, files, audit, logger }: AutomaticPullPorts): Promise<void> {
  const { given } = audit.openRecord(call);
  const requester = { principal: createServerPrincipal(serverName), audit: given.audit };
  const pulled = await withSession((session) => pull(session, files, requester));
  for (const { itemId, message } of pulled.problems) {
    logger.warn({ itemId, problem: message }, 'a file of the repository was not pulled');
  }
  if (pulled.synced.length === 0) return;
  await given.audit.record({ resourceId: 'files', after: describePull(pulled) });
  await audit.seal();
}
