import { executeRun, type RunPorts, type StoredRun } from '@weir/workflow-engine';
import type { Logger } from '@weir/service-kit';
import type { LocalWorker } from '../dag-runs';
import type { QueueClaim } from '../queue';

export interface ActiveRunsOptions {
  readonly ports: RunPorts;
  readonly workerId: string;
  /** Runs at the same time. */
  readonly maxRuns: number;
  readonly logger: Logger;
  /** Aborted when the worker stops: runs that start later are released at once. */
  readonly stopping: AbortSignal;
  /** Whether runs that are stored with this worker as their owner stay its own. */
  readonly isLeaseLive: () => boolean;
  /** Called whenever a run has settled. */
  readonly onSettled: () => void;
}

interface ActiveRun {
  readonly stop: AbortController;
  readonly release: AbortController;
  readonly settled: Promise<void>;
}

export interface RunStart {
  /** What must be done before the run executes. */
  readonly prepare?: () => Promise<void>;
  /** What is stored of the run, when it is known. */
  readonly stored?: StoredRun | undefined;
}

/** Of a run that was stored with its owner. */
const firstToken = 1;

/** The runs that execute in this worker. */
export class ActiveRuns implements LocalWorker {
  readonly #options: ActiveRunsOptions;
  readonly #runs = new Map<string, ActiveRun>();
  /** Whether the worker executes runs that it was not told to. */
  isOpen = false;

  constructor(options: ActiveRunsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#runs.size;
  }

  has(id: string): boolean {
    return this.#runs.has(id);
  }

  hasCapacity(): boolean {
    return this.#runs.size < this.#options.maxRuns;
  }

  ownerId(): string | undefined {
    const { workerId, stopping, isLeaseLive } = this.#options;
    return this.isOpen && !stopping.aborted && isLeaseLive() && this.hasCapacity() ? workerId : undefined;
  }

  /** Executes a run that was stored with this worker as its owner. */
  execute(stored: StoredRun): Promise<void> {
    return this.start({ runId: stored.run.id, token: firstToken }, { stored });
  }

  /** Executes a claimed run. Never rejects: the end of the run is stored with it. */
  start(claim: QueueClaim, { prepare, stored }: RunStart = {}): Promise<void> {
    const { runId } = claim;
    const stop = new AbortController();
    const release = new AbortController();
    if (this.#options.stopping.aborted) release.abort();
    // An earlier execution of the run here has lost its claim or stored its end, and may still send a mail.
    const before = this.#runs.get(runId);
    before?.release.abort();
    const prepareAfter = async (): Promise<void> => {
      await before?.settled;
      await prepare?.();
    };
    const run = { stop: stop.signal, release: release.signal, stored };
    const settled = this.#execute(claim, run, prepareAfter).finally(() => {
      if (this.#runs.get(runId)?.release === release) this.#runs.delete(runId);
      this.#options.onSettled();
    });
    this.#runs.set(runId, { stop, release, settled });
    return settled;
  }

  /** Requests the end of a run. Returns false when it does not execute here. */
  stop(id: string): boolean {
    const run = this.#runs.get(id);
    run?.stop.abort();
    return run !== undefined;
  }

  releaseAll(): void {
    for (const { release } of this.#runs.values()) release.abort();
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#runs.values()].map(({ settled }) => settled));
  }

  async #execute(
    { runId, token }: QueueClaim,
    run: { readonly stop: AbortSignal; readonly release: AbortSignal; readonly stored: StoredRun | undefined },
    prepare: () => Promise<void>,
  ): Promise<void> {
    const { ports, workerId, logger } = this.#options;
    try {
      await prepare();
      const execution = await executeRun({ id: runId, lease: { ownerId: workerId, token }, ...run }, ports);
      if (execution === 'released') logger.info({ runId }, 'run released to the next worker');
      if (execution === 'lost') logger.warn({ runId }, 'run claimed by another worker');
    } catch (error) {
      // It stays claimed by this worker, and is returned to its queue by the search for lost runs.
      logger.error({ runId, error }, 'run could not be executed');
    }
  }
}
