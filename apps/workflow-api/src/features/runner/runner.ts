import { setTimeout as delay } from 'node:timers/promises';
import { isActiveRun, isRunningRun } from '@weir/workflow-engine';
import type { Logger } from '@weir/service-kit';
import type { Clock } from '../../adapters/clock';
import type { DagRunRepository, DagRunSummary } from '../dag-runs';
import { carryOutRun, type CarryOutDependencies } from './carry-out-run';
import { createFailureReport, type FailureReport } from './failure-report';
import { adoptLostRuns, endLostRuns, type RecoverDependencies } from './recover-runs';
import { isRunLost } from './run-recorder';
import type { RunnerRecord, RunnerRepository } from './runner-repository';
import type { ScriptFolder } from './script-folder';

export interface RunnerOptions extends Omit<CarryOutDependencies, 'ownerId'> {
  readonly identity: Omit<RunnerRecord, 'heartbeatAt'>;
  readonly runners: RunnerRepository;
  readonly runs: DagRunRepository;
  readonly endOrphan: RecoverDependencies['endOrphan'];
  /** The executor keeps its scripts in it. */
  readonly scripts: ScriptFolder;
  /** Whether other runners may use the same database. When not, whatever else is running is lost. */
  readonly isShared: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Runs at the same time. Default 50. */
  readonly maxRuns?: number;
  /** Default 5 s. */
  readonly heartbeatMs?: number;
  /** Silence after which a runner counts as dead. Default 15 s. */
  readonly deadAfterMs?: number;
  /** Pause between two looks at the queue when nobody wakes the runner. Default 1 s. */
  readonly pollMs?: number;
}

interface ActiveRun {
  readonly stop: AbortController;
  readonly settled: Promise<void>;
}

const keepSilentRunnersMs = 24 * 3_600_000;

/** Carries out runs in this process, and ends what runners that died left behind. */
export class Runner {
  readonly name = 'runner';
  readonly #options: Required<Omit<RunnerOptions, 'defaultShell'>> & Pick<RunnerOptions, 'defaultShell'>;
  readonly #active = new Map<string, ActiveRun>();
  /** Runs stored as this runner's that were not carried out at the last look: their claim or end was lost. */
  #missing: ReadonlySet<string> = new Set();
  /** Runs whose claim was not answered: it may have been stored all the same, or may be yet. */
  readonly #doubtful = new Set<string>();
  readonly #taking: FailureReport;
  readonly #beating: FailureReport;
  readonly #heeding: FailureReport;
  readonly #recovering: FailureReport;
  readonly #stopping = new AbortController();
  #loops: readonly Promise<void>[] = [];
  #recovery: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #isWoken = false;
  #isStarted = false;
  #stopped: Promise<void> | undefined;

  constructor(options: RunnerOptions) {
    this.#options = { maxRuns: 50, heartbeatMs: 5_000, deadAfterMs: 15_000, pollMs: 1_000, ...options };
    const report = (failed: string, succeeded: string) => createFailureReport(options.logger, { failed, succeeded });
    this.#taking = report('queued runs could not be taken', 'queued runs are taken again');
    this.#beating = report('heartbeat was not stored', 'heartbeats are stored again');
    this.#heeding = report('stop requests could not be read', 'stop requests are read again');
    this.#recovering = report('lost runs could not be ended', 'lost runs are ended again');
  }

  /** Who owns the runs carried out here. */
  get id(): string {
    return this.#options.identity.id;
  }

  /**
   * Says that it is alive, takes over what was left behind, and begins to take queued runs; the ends of what was left
   * behind are not waited for. Without `takesQueued` they are, and only runs handed to `carryOut` are carried out.
   */
  async start({ takesQueued }: { readonly takesQueued: boolean }): Promise<void> {
    await this.#beat();
    this.#isStarted = true;
    await this.#recover();
    if (!takesQueued) await this.#recovery;
    this.#loops = [this.#keepBeating(), this.#keepHeeding(), ...(takesQueued ? [this.#keepTaking()] : [])];
  }

  /** A run was queued. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Carries out a run that was stored as running under this runner's id. Never rejects: see the run for its end. */
  carryOut(id: string): Promise<void> {
    const stop = new AbortController();
    if (this.#stopping.signal.aborted) stop.abort();
    const settled = this.#carryOut(id, stop.signal).finally(() => {
      this.#active.delete(id);
      this.wake();
    });
    this.#active.set(id, { stop, settled });
    return settled;
  }

  /** Asks a run to end. False when it is not carried out here. */
  stopRun(id: string): boolean {
    const run = this.#active.get(id);
    run?.stop.abort();
    return run !== undefined;
  }

  /** Takes no more runs, asks those under way to end, and waits until their ends are stored. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    for (const { stop } of this.#active.values()) stop.abort();
    await Promise.all([...this.#loops, this.#recovery]);
    await Promise.all([...this.#active.values()].map(({ settled }) => settled));
    if (!this.#isStarted) return;
    await this.#options.scripts.removeOf([this.id]);
    await this.#options.runners.remove(this.id);
  }

  async #carryOut(id: string, signal: AbortSignal): Promise<void> {
    const { logger } = this.#options;
    try {
      await carryOutRun({ ...this.#options, ownerId: this.id }, id, signal);
    } catch (error) {
      if (isRunLost(error)) {
        logger.warn({ runId: id }, 'run was taken over');
        return;
      }
      // It stays stored as running under this runner, and looking for lost runs finds and ends it.
      logger.error({ runId: id, error }, 'run could not be carried out');
    }
  }

  async #keepTaking(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#isWoken = false;
      await reported(this.#takeQueued(), this.#taking);
      await this.#wakeOrDelay();
    }
  }

  async #takeQueued(): Promise<void> {
    const { runs, maxRuns } = this.#options;
    await this.#settleDoubtful();
    const room = maxRuns - this.#active.size;
    if (room <= 0) return;
    for (const id of await runs.listQueued(room)) {
      if (this.#stopping.signal.aborted) return;
      if (await this.#claim(id)) void this.carryOut(id);
    }
  }

  async #claim(id: string): Promise<boolean> {
    const { runs, clock } = this.#options;
    try {
      const isClaimed = await runs.claim(id, this.id, clock.now());
      if (isClaimed) this.#doubtful.delete(id);
      return isClaimed;
    } catch (error) {
      this.#doubtful.add(id);
      throw error;
    }
  }

  /** None of their steps has begun, so those that turn out to be claimed are carried out. */
  async #settleDoubtful(): Promise<void> {
    for (const id of this.#doubtful) {
      const run = await this.#options.runs.findById(id);
      const isRunning = run !== undefined && isRunningRun(run.status);
      // Still in the queue: the claim may be on its way yet, or it is claimed again in this round.
      if (run !== undefined && isActiveRun(run.status) && !isRunning) continue;
      this.#doubtful.delete(id);
      if (isRunning && run.ownerId === this.id && !this.#active.has(id)) void this.carryOut(id);
    }
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

  async #keepBeating(): Promise<void> {
    while (await this.#pause(this.#options.heartbeatMs)) {
      await reported(this.#beat(), this.#beating);
      // Not waited for: ending processes may take longer than a heartbeat may be late.
      void this.#recover();
    }
  }

  /** Ends the runs of this runner that somebody asked to end, in whichever process that was. */
  async #keepHeeding(): Promise<void> {
    while (await this.#pause(this.#options.pollMs)) {
      if (this.#active.size > 0) await reported(this.#heedStops(), this.#heeding);
    }
  }

  async #heedStops(): Promise<void> {
    for (const id of await this.#options.runs.listStopRequested(this.id)) this.stopRun(id);
  }

  /** Whether to go on after it. */
  async #pause(forMs: number): Promise<boolean> {
    const { signal } = this.#stopping;
    // Ends early, by an abort, only when the runner stops.
    await delay(forMs, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }

  async #beat(): Promise<void> {
    const { runners, identity, clock } = this.#options;
    await runners.beat({ ...identity, heartbeatAt: clock.now() });
  }

  /** Resolves when what was lost is taken over; `#recovery` goes on until it has ended too. */
  async #recover(): Promise<void> {
    if (this.#recovery !== undefined) return;
    const adopted = this.#adoptLost();
    this.#recovery = reported(
      adopted.then((lost) => this.#endLost(lost)),
      this.#recovering,
    ).finally(() => {
      this.#recovery = undefined;
    });
    await adopted.catch(() => undefined); // Reported by the recovery.
  }

  async #adoptLost(): Promise<Lost> {
    const { runners, scripts, isShared, deadAfterMs, clock } = this.#options;
    // Looked at before the runners: one that has a folder by now has said that it is alive.
    const scriptOwners = await scripts.others();
    const now = clock.now().getTime();
    const alive = isShared ? await runners.listAlive(new Date(now - deadAfterMs)) : [];
    const missing = new Set<string>();
    const isUnderWay = (id: string): boolean => {
      if (this.#active.has(id) || this.#doubtful.has(id)) return true;
      missing.add(id);
      // Found twice in a row: the first time it may just be about to begin.
      return !this.#missing.has(id);
    };
    const others = alive.filter((id) => id !== this.id);
    const dependencies = { ...this.#options, ownerId: this.id, isUnderWay };
    const runs = await adoptLostRuns(dependencies, others, this.#stopping.signal);
    this.#missing = missing;
    return { runs, scriptOwners: scriptOwners.filter((id) => !others.includes(id)) };
  }

  async #endLost({ runs, scriptOwners }: Lost): Promise<void> {
    const { runners, scripts, clock } = this.#options;
    await endLostRuns({ ...this.#options, ownerId: this.id }, runs, this.#stopping.signal);
    await scripts.removeOf(scriptOwners);
    await runners.removeSilentSince(new Date(clock.now().getTime() - keepSilentRunnersMs));
  }
}

interface Lost {
  readonly runs: readonly DagRunSummary[];
  /** Runners that left scripts behind. */
  readonly scriptOwners: readonly string[];
}

/** Never rejects. */
async function reported(work: Promise<void>, report: FailureReport): Promise<void> {
  try {
    await work;
    report.succeeded();
  } catch (error) {
    report.failed(error);
  }
}
