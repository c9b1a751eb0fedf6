import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@weir/service-kit';
import type { StoredRun } from '@weir/workflow-engine';
import type { Clock } from '../../adapters/clock';
import type { DagRunRepository } from '../dag-runs';
import type { QueueClaim, QueueDriver } from '../queue';
import { executeRun, type RunPorts } from '@weir/workflow-engine';
import { createFailureReport, type FailureReport } from './failure-report';
import type { Heartbeat } from './heartbeat';
import { endOrphansOf, type RecoverDependencies } from '@weir/workflow-engine';
import { computeClaimDelayMs } from './claim-delay';
import { isLeaseLost } from '@weir/workflow-engine';
import type { WorkerRecord, WorkerRepository } from './worker-repository';
import type { ScriptFolder } from './script-folder';

export interface WorkerOptions extends RunPorts {
  readonly identity: Omit<WorkerRecord, 'heartbeatAt'>;
  readonly heartbeat: Heartbeat;
  readonly workers: WorkerRepository;
  readonly runs: DagRunRepository;
  readonly queue: Pick<QueueDriver<never>, 'claim' | 'listClaims' | 'fail' | 'subscribe'>;
  readonly endOrphan: RecoverDependencies['endOrphan'];
  /** The executor keeps its scripts in it. */
  readonly scripts: ScriptFolder;
  /** Whether other workers may use the same database. When not, whatever else is running is lost. */
  readonly isShared: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Runs at the same time. Default 50. */
  readonly maxRuns?: number;
  /** Pause between two looks at the queue when nobody wakes the worker. Default 1 s. */
  readonly pollMs?: number;
  /** Pause between two looks for requests to stop. Default 1 s. */
  readonly stopPollMs?: number;
  /** Between two looks for lost runs. Default 2 s. */
  readonly recoverMs?: number;
  /** Silence after which others take over what a worker holds. Default 10 s. */
  readonly leaseMs?: number;
}

interface ActiveRun {
  readonly stop: AbortController;
  readonly release: AbortController;
  readonly settled: Promise<void>;
}

interface RunStart {
  readonly prepare: () => Promise<void>;
  readonly stored?: StoredRun | undefined;
}

/** Of a run that was stored with its owner. */
const firstToken = 1;
const keepSilentRunnersMs = 24 * 3_600_000;
/** How much earlier than others take over a worker that is not heard of gives up what it holds. */
const fenceMarginMs = 2_000;

/** Carries out runs in this process, and goes on with what workers that died left behind. */
export class Worker {
  readonly name = 'worker';
  readonly #options: Required<Omit<WorkerOptions, 'defaultShell'>> & Pick<WorkerOptions, 'defaultShell'>;
  readonly #active = new Map<string, ActiveRun>();
  /** Claims of this worker that were not carried out at the last look: their answer or end was lost. */
  #missing: ReadonlySet<string> = new Set();
  readonly #taking: FailureReport;
  readonly #heeding: FailureReport;
  readonly #recovering: FailureReport;
  readonly #stopping = new AbortController();
  #loops: readonly Promise<void>[] = [];
  #cleaning: Promise<void> = Promise.resolve();
  #lookedForLostAt = Number.NEGATIVE_INFINITY;
  #unsubscribe: (() => void) | undefined;
  #wake: (() => void) | undefined;
  #isWoken = false;
  #isStarted = false;
  #takesQueued = false;
  #within: string | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    this.#options = { maxRuns: 50, pollMs: 1_000, stopPollMs: 1_000, recoverMs: 2_000, leaseMs: 10_000, ...options };
    const report = (failed: string, succeeded: string) => createFailureReport(options.logger, { failed, succeeded });
    this.#taking = report('queued runs could not be taken', 'queued runs are taken again');
    this.#heeding = report('stop requests could not be read', 'stop requests are read again');
    this.#recovering = report('lost runs could not be taken over', 'lost runs are taken over again');
  }

  /** Who owns the runs carried out here. */
  get id(): string {
    return this.#options.identity.id;
  }

  /**
   * Says that it is alive, takes over what was left behind, and begins to take queued runs. Without `takesQueued` only
   * runs handed to `carryOut` are carried out.
   */
  async start({ claimsQueued: takesQueued }: { readonly claimsQueued: boolean }): Promise<void> {
    await this.#options.heartbeat.start();
    this.#isStarted = true;
    this.#unsubscribe = this.#options.queue.subscribe(() => this.wake());
    if (takesQueued) await this.#lookForLost();
    this.#takesQueued = takesQueued;
    this.#loops = [this.#keepHeeding(), ...(takesQueued ? [this.#keepTaking()] : [])];
  }

  /** A run was queued, or a place of a queue is free. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /**
   * Carries out a run that is stored as running under this worker's id and this token, the first unless given. One that
   * was stored just now need not be read again. Never rejects: see the run for its end.
   */
  execute(run: string | StoredRun, token = firstToken): Promise<void> {
    const isKey = typeof run === 'string';
    const work = { prepare: () => Promise.resolve(), stored: isKey ? undefined : run };
    return this.#begin({ runId: isKey ? run : run.run.id, token }, work);
  }

  /**
   * Takes this run of depth 0 and those below it whenever they are in their queues: a step may put one back that it
   * waits for, and a person's answer the run itself.
   */
  claimWithin(rootId: string): void {
    this.#within = rootId;
    this.#loops = [...this.#loops, this.#keepTaking()];
  }

  /** Whether it takes runs and could take one more. */
  hasCapacity(): boolean {
    return this.#takesQueued && !this.#stopping.signal.aborted && this.#active.size < this.#options.maxRuns;
  }

  /** Asks a run to end. False when it is not carried out here. */
  stopRun(id: string): boolean {
    const run = this.#active.get(id);
    run?.stop.abort();
    return run !== undefined;
  }

  /** Takes no more runs, and leaves those under way to the next worker; their processes have ended when it resolves. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe?.();
    this.wake();
    // They are asked to end only when somebody wants that: the next worker goes on with them.
    this.#leaveAll();
    await Promise.all([...this.#loops, this.#cleaning]);
    await Promise.all([...this.#active.values()].map(({ settled }) => settled));
    const { scripts, heartbeat, workers } = this.#options;
    if (this.#isStarted) await scripts.removeOf([this.id]);
    await heartbeat.stop();
    if (this.#isStarted) await workers.remove(this.id);
  }

  #leaveAll(): void {
    for (const { release: leave } of this.#active.values()) leave.abort();
  }

  #begin(claim: QueueClaim, { prepare, stored }: RunStart): Promise<void> {
    const { runId } = claim;
    const stop = new AbortController();
    const release = new AbortController();
    if (this.#stopping.signal.aborted) release.abort();
    // Stored as ended, given away or lost, and not done here: a mail may still be under way.
    const before = this.#active.get(runId);
    before?.release.abort();
    const prepareAfter = async (): Promise<void> => {
      await before?.settled;
      await prepare();
    };
    const settled = this.#execute(
      claim,
      { signal: stop.signal, release: release.signal },
      { prepare: prepareAfter, stored },
    ).finally(() => {
      if (this.#active.get(runId)?.release === release) this.#active.delete(runId);
      this.wake();
    });
    this.#active.set(runId, { stop, release, settled });
    return settled;
  }

  async #execute(
    { runId, token }: QueueClaim,
    signals: Parameters<typeof executeRun>[2],
    { prepare, stored }: RunStart,
  ): Promise<void> {
    const { logger } = this.#options;
    try {
      await prepare();
      await executeRun(this.#options, { id: runId, lease: { ownerId: this.id, token }, stored }, signals);
    } catch (error) {
      if (signals.release.aborted) logger.info({ runId }, 'run is released to the next worker');
      else if (isLeaseLost(error)) logger.warn({ runId }, 'run was taken over');
      // It stays held by this worker, and is given back by the look for such runs.
      else logger.error({ runId, error }, 'run could not be carried out');
    }
  }

  /** One thing after the other, so that no claim is under way when it is looked at what this worker holds. */
  async #keepTaking(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#isWoken = false;
      const isLookDue = performance.now() - this.#lookedForLostAt >= this.#options.recoverMs;
      if (isLookDue) await this.#lookForLost();
      const taken = this.#takeAll('queue', ({ runId, token }) => void this.execute(runId, token));
      await reported(taken, this.#taking);
      await this.#wakeOrDelay();
    }
  }

  /** Whether nothing was left to claim. */
  async #takeAll(from: 'queue' | 'lost', begin: (claim: QueueClaim) => void): Promise<boolean> {
    const { queue, clock, maxRuns } = this.#options;
    while (this.#active.size < maxRuns) {
      const claim = await queue.claim({ owner: this.id, at: clock.now(), from, within: this.#within });
      if (claim === undefined) return true;
      begin(claim);
      if (this.#stopping.signal.aborted) return false;
    }
    return false;
  }

  async #wakeOrDelay(): Promise<void> {
    if (this.#isWoken || this.#stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.pollMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  /** Ends the runs of this worker that somebody asked to end, in whichever process that was. */
  async #keepHeeding(): Promise<void> {
    const { stopPollMs: heedMs, heartbeat, leaseMs, logger } = this.#options;
    while (await this.#pause(heedMs)) {
      if (this.#active.size === 0) continue;
      if (heartbeat.silentMs() > leaseMs - fenceMarginMs) {
        // By now others may carry them out.
        logger.error({ runs: this.#active.size }, 'heartbeats cannot be stored: the runs here are given up');
        this.#leaveAll();
      }
      await reported(this.#heedStops(), this.#heeding);
    }
  }

  async #heedStops(): Promise<void> {
    for (const id of await this.#options.runs.listStopRequested(this.id)) this.stopRun(id);
  }

  /** Whether to go on after it. */
  async #pause(forMs: number): Promise<boolean> {
    const { signal } = this.#stopping;
    // Ends early, by an abort, only when the worker stops.
    await delay(forMs, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }

  #lookForLost(): Promise<void> {
    this.#lookedForLostAt = performance.now();
    // What others lost is none of the business of one that carries out a single run.
    const look = this.#within === undefined ? this.#recover() : this.#giveBackMissing();
    return reported(look, this.#recovering);
  }

  async #recover(): Promise<void> {
    const { workers, scripts, isShared, leaseMs } = this.#options;
    // Looked at before the workers: one that has a folder by now has said that it is alive.
    const scriptOwners = await scripts.others();
    const alive = isShared && scriptOwners.length > 0 ? await workers.listAlive(leaseMs) : [];
    await this.#giveBackMissing();
    const taken: Promise<unknown>[] = [];
    const isAll = await this.#takeAll('lost', (claim) => taken.push(this.#takeOver(claim)));
    // What is left to others may have processes that still read their scripts.
    const dead = isAll ? scriptOwners.filter((id) => !alive.includes(id)) : [];
    this.#cleaning = reported(this.#cleanUp(taken, dead), this.#recovering);
  }

  async #cleanUp(taken: readonly Promise<unknown>[], deadOwners: readonly string[]): Promise<void> {
    if (taken.length === 0 && deadOwners.length === 0) return;
    await Promise.all(taken);
    await this.#options.scripts.removeOf(deadOwners);
    await this.#options.workers.removeSilent(keepSilentRunnersMs);
  }

  /** Resolves when nothing of its lost owner runs any more. */
  #takeOver(claim: QueueClaim): Promise<void> {
    return new Promise((resolve) => {
      const prepare = async (): Promise<void> => {
        if (await endOrphansOf(this.#options, claim.runId)) this.stopRun(claim.runId);
        resolve();
      };
      void this.#begin(claim, { prepare }).finally(resolve);
    });
  }

  /** What is found twice in a row: the first time it may just be about to begin. */
  async #giveBackMissing(): Promise<void> {
    const { queue, clock } = this.#options;
    const missing = new Set<string>();
    for (const claim of await queue.listClaims(this.id)) {
      if (this.#active.has(claim.runId)) continue;
      const key = `${claim.runId} ${claim.token}`;
      if (!this.#missing.has(key)) missing.add(key);
      else
        await queue.fail(
          { ...claim, owner: this.id },
          new Date(clock.now().getTime() + computeClaimDelayMs(claim.token)),
        );
    }
    this.#missing = missing;
  }
}

/** Never rejects. */
async function reported(work: Promise<unknown>, report: FailureReport): Promise<void> {
  try {
    await work;
    report.succeeded();
  } catch (error) {
    report.failed(error);
  }
}
