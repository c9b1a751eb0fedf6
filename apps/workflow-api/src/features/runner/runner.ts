import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@weir/service-kit';
import type { Clock } from '../../adapters/clock';
import type { DagRunRepository } from '../dag-runs';
import { carryOutRun, type CarryOutDependencies } from './carry-out-run';
import { recoverRuns, type RecoverDependencies } from './recover-runs';
import { isRunLost } from './run-recorder';
import type { RunnerRecord, RunnerRepository } from './runner-repository';

export interface RunnerOptions extends Omit<CarryOutDependencies, 'ownerId'> {
  readonly identity: Omit<RunnerRecord, 'heartbeatAt'>;
  readonly runners: RunnerRepository;
  readonly runs: DagRunRepository;
  readonly endOrphan: RecoverDependencies['endOrphan'];
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
  readonly #stopping = new AbortController();
  #loops: readonly Promise<void>[] = [];
  #recovery: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #isWoken = false;
  #isStarted = false;
  #stopped: Promise<void> | undefined;

  constructor(options: RunnerOptions) {
    this.#options = { maxRuns: 50, heartbeatMs: 5_000, deadAfterMs: 15_000, pollMs: 1_000, ...options };
  }

  /** Who owns the runs carried out here. */
  get id(): string {
    return this.#options.identity.id;
  }

  /**
   * Says that it is alive, settles what was left behind, and begins to take queued runs; without `takesQueued` only
   * those handed to `carryOut` are carried out.
   */
  async start({ takesQueued }: { readonly takesQueued: boolean }): Promise<void> {
    await this.#beat();
    this.#isStarted = true;
    await this.#recover();
    this.#loops = [this.#keepBeating(), ...(takesQueued ? [this.#keepTaking()] : [])];
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
    if (this.#isStarted) await this.#options.runners.remove(this.id);
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
      await this.#takeQueued().catch((error: unknown) => {
        this.#options.logger.warn({ error }, 'queued runs could not be taken');
      });
      await this.#wakeOrDelay();
    }
  }

  async #takeQueued(): Promise<void> {
    const { runs, maxRuns, clock } = this.#options;
    const room = maxRuns - this.#active.size;
    if (room <= 0) return;
    for (const id of await runs.listQueued(room)) {
      if (this.#stopping.signal.aborted) return;
      if (await runs.claim(id, this.id, clock.now())) void this.carryOut(id);
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
    while (await this.#pause()) {
      await this.#beat().catch((error: unknown) => {
        this.#options.logger.warn({ error }, 'heartbeat was not stored');
      });
      // Not waited for: ending processes may take longer than a heartbeat may be late.
      void this.#recover();
    }
  }

  /** Whether to go on after it. */
  async #pause(): Promise<boolean> {
    const { signal } = this.#stopping;
    // Ends early, by an abort, only when the runner stops.
    await delay(this.#options.heartbeatMs, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }

  async #beat(): Promise<void> {
    const { runners, identity, clock } = this.#options;
    await runners.beat({ ...identity, heartbeatAt: clock.now() });
  }

  #recover(): Promise<void> {
    this.#recovery ??= this.#recoverOnce()
      .catch((error: unknown) => {
        this.#options.logger.warn({ error }, 'lost runs could not be ended');
      })
      .finally(() => {
        this.#recovery = undefined;
      });
    return this.#recovery;
  }

  async #recoverOnce(): Promise<void> {
    const { runners, isShared, deadAfterMs, clock } = this.#options;
    const now = clock.now().getTime();
    const alive = isShared ? await runners.listAlive(new Date(now - deadAfterMs)) : [];
    const missing = new Set<string>();
    const isUnderWay = (id: string): boolean => {
      if (this.#active.has(id)) return true;
      missing.add(id);
      // Found twice in a row: the first time it may just be about to begin.
      return !this.#missing.has(id);
    };
    const others = alive.filter((id) => id !== this.id);
    await recoverRuns({ ...this.#options, ownerId: this.id, isUnderWay }, others, this.#stopping.signal);
    this.#missing = missing;
    await runners.removeSilentSince(new Date(now - keepSilentRunnersMs));
  }
}
