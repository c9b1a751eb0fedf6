import { endOrphans, type RunPorts } from '@weir/workflow-engine';
import type { Clock } from '@weir/workflow-engine/model';
import type { Logger } from '@weir/service-kit';
import type { QueueClaim, QueueDriver } from '../queue/store';
import type { ActiveRuns } from './active-runs';
import type { Claims } from './claims';
import { createFailureReport, reportFailure, type FailureReport } from '../../adapters/failure-report';
import type { ScriptFolder } from './script-folder';
import type { WorkerRepository } from './worker-repository';

export interface LostRunsOptions extends Pick<RunPorts, 'endOrphan'> {
  readonly runs: Pick<RunPorts['runs'], 'findById' | 'listAllSteps'>;
  readonly workerId: string;
  readonly workers: Pick<WorkerRepository, 'listAlive' | 'removeSilent'>;
  readonly queue: Pick<QueueDriver<never>, 'listClaims' | 'fail'>;
  readonly scripts: ScriptFolder;
  /** A worker without heartbeats keeps its claims for this time. */
  readonly leaseMs: number;
  /** Time between two searches for files that dead workers left on this machine, and for idle claims of this worker. */
  readonly cleanMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const firstClaimDelayMs = 1_000;
const maxClaimDelayMs = 60_000;
const retainSilentWorkersMs = 24 * 3_600_000;

/** Claims the runs of lost workers, and returns claims of this worker that do not execute. */
export class LostRuns {
  readonly #options: LostRunsOptions;
  readonly #active: ActiveRuns;
  readonly #claims: Claims;
  readonly #report: FailureReport;
  /** Claims of this worker that did not execute at the last search, because their answer or end was lost. */
  #missing: ReadonlySet<string> = new Set();
  #cleaning: Promise<void> = Promise.resolve();
  #searchedAt = Number.NEGATIVE_INFINITY;
  #cleanedAt = Number.NEGATIVE_INFINITY;

  constructor(options: LostRunsOptions, active: ActiveRuns, claims: Claims) {
    this.#options = options;
    this.#active = active;
    this.#claims = claims;
    this.#report = createFailureReport(options.logger, {
      failed: 'lost runs cannot be claimed',
      succeeded: 'lost runs are claimed again',
    });
  }

  /** Returns the milliseconds until the next search; not positive when it is due. */
  searchDueInMs(everyMs: number): number {
    return everyMs - (performance.now() - this.#searchedAt);
  }

  search(): Promise<void> {
    this.#searchedAt = performance.now();
    // A worker of a single run does not claim the runs of others.
    const isSingle = this.#claims.rootId !== undefined;
    return reportFailure(isSingle ? this.#returnMissing() : this.#recover(), this.#report);
  }

  /** Resolves when the results of the last search are cleaned up. */
  settled(): Promise<void> {
    return this.#cleaning;
  }

  async #recover(): Promise<void> {
    const { workers, scripts, leaseMs, cleanMs } = this.#options;
    const isCleanDue = performance.now() - this.#cleanedAt >= cleanMs;
    if (isCleanDue) this.#cleanedAt = performance.now();
    // Folders are read before the workers: a worker with a folder has already stored a heartbeat.
    const scriptOwners = isCleanDue ? await scripts.others() : [];
    const alive = scriptOwners.length > 0 ? await workers.listAlive(leaseMs) : [];
    // An idle worker has no claims, unless the answer to one was lost.
    if (isCleanDue || this.#active.size > 0 || this.#missing.size > 0) await this.#returnMissing();
    const claimed: Promise<unknown>[] = [];
    const isAll = await this.#claims.claimAll('expired', (claim) => claimed.push(this.#resume(claim)));
    // Runs that are left to others may have processes that still read their scripts.
    const dead = isAll ? scriptOwners.filter((id) => !alive.includes(id)) : [];
    this.#cleaning = reportFailure(this.#cleanUp(claimed, dead), this.#report);
  }

  async #cleanUp(claimed: readonly Promise<unknown>[], deadOwners: readonly string[]): Promise<void> {
    if (claimed.length === 0 && deadOwners.length === 0) return;
    await Promise.all(claimed);
    await this.#options.scripts.removeAll(deadOwners);
    await this.#options.workers.removeSilent(retainSilentWorkersMs);
  }

  /** Resolves when no process of the lost owner is left. */
  #resume(claim: QueueClaim): Promise<void> {
    return new Promise((resolve) => {
      const prepare = async (): Promise<void> => {
        if (await endOrphans(claim.runId, this.#options)) this.#active.stop(claim.runId);
        resolve();
      };
      void this.#active.start(claim, { prepare }).finally(resolve);
    });
  }

  /** Returns only claims that were found twice in a row: the first time, the execution may be about to start. */
  async #returnMissing(): Promise<void> {
    const { queue, clock, workerId } = this.#options;
    const missing = new Set<string>();
    for (const claim of await queue.listClaims(workerId)) {
      if (this.#active.has(claim.runId)) continue;
      const key = `${claim.runId} ${claim.token}`;
      if (!this.#missing.has(key)) missing.add(key);
      else {
        const claimableAt = new Date(clock.now().getTime() + computeClaimDelayMs(claim.token));
        await queue.fail({ ...claim, owner: workerId }, claimableAt);
      }
    }
    this.#missing = missing;
  }
}

/**
 * Returns how long a run waits whose execution failed under a claim with this token. The delay doubles each time, so
 * that a run which can never execute does not keep workers busy.
 */
export function computeClaimDelayMs(token: number): number {
  return Math.min(maxClaimDelayMs, firstClaimDelayMs * 2 ** (token - 1));
}
