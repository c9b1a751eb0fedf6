import { setTimeout as delay } from 'node:timers/promises';
import { executeRun, type ChildRuns, type ClaimedRun, type RunPorts } from '@weir/workflow-engine';
import {
  loadRun,
  matchesSelector,
  type RunEvent,
  type RunStore,
  type StoredRun,
  type WorkerLabels,
} from '@weir/workflow-engine/model';
import type { Logger } from '@weir/service-kit';
import { unaudited } from '../../access/audited-operation';
import type { DagRunRepository, LocalWorker } from '../runs';
import type { CommitOptions } from '../runs/store/commit-run';
import type { QueueClaim } from '../queue/store';
import type { ClaimedFiles, RunFiles } from '../../run-files';
import { createChildPlacement, type StoredChildRuns } from './child-placement';

/** The stored runs, as far as a worker uses them. */
export interface ExecutedRuns extends Omit<RunStore, 'commit'>, Pick<DagRunRepository, 'listStopRequested'> {
  commit(id: string, event: RunEvent, options: CommitOptions): Promise<object | undefined>;
}

export interface ActiveRunsOptions {
  readonly ports: Omit<RunPorts, 'runs' | 'children'>;
  readonly runs: ExecutedRuns;
  readonly children: StoredChildRuns;
  readonly runFiles: Pick<RunFiles, 'claim'>;
  readonly workerId: string;
  readonly labels: WorkerLabels;
  /** Whether workers of other machines may claim its child runs. */
  readonly isShared: boolean;
  /** Limits the runs at the same time. */
  readonly maxRuns: number;
  readonly logger: Logger;
  /** Aborted when the worker stops: runs that start later are released at once. */
  readonly stopping: AbortSignal;
  /** Whether the worker keeps the runs that are stored with it as their owner. */
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
  /** Work that must be done before the run executes. */
  readonly prepare?: () => Promise<void>;
  /** The stored run, if it is known. */
  readonly stored?: StoredRun | undefined;
}

/** The token of a run that was stored with its owner. */
const firstToken = 1;

/** Holds the runs that execute in this worker. */
export class ActiveRuns implements LocalWorker {
  readonly #options: ActiveRunsOptions;
  readonly #children: ChildRuns;
  readonly #runs = new Map<string, ActiveRun>();
  /** The number of queued child runs that each run waits for. */
  readonly #paused = new Map<string, number>();
  /** Whether the worker also executes runs that were not passed to it. */
  isOpen = false;

  constructor(options: ActiveRunsOptions) {
    this.#options = options;
    this.#children = createChildPlacement(options, this);
  }

  get size(): number {
    return this.#runs.size;
  }

  has(id: string): boolean {
    return this.#runs.has(id);
  }

  hasCapacity(): boolean {
    return this.#runs.size - this.#paused.size < this.#options.maxRuns;
  }

  ownerId(selector: string): string | undefined {
    const { workerId, labels, stopping, isLeaseLive } = this.#options;
    const isAble = this.isOpen && !stopping.aborted && isLeaseLive() && this.hasCapacity();
    return isAble && matchesSelector(selector, labels) ? workerId : undefined;
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
    const run = {
      stop: stop.signal,
      release: release.signal,
      stored,
      refusal: claim.givenUp && toRefusal(claim.givenUp),
    };
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

  /** The run does not use capacity until the returned function is called, because it waits for a run that has to be claimed. */
  pause(id: string): () => void {
    this.#paused.set(id, (this.#paused.get(id) ?? 0) + 1);
    this.#options.onSettled();
    return () => {
      const others = (this.#paused.get(id) ?? 1) - 1;
      if (others === 0) this.#paused.delete(id);
      else this.#paused.set(id, others);
    };
  }

  releaseAll(): void {
    for (const { release } of this.#runs.values()) release.abort();
  }

  /** Resolves once no run executes, or after this time. */
  async settledWithin(ms: number): Promise<void> {
    const elapsed = new AbortController();
    const deadline = delay(ms, undefined, { signal: elapsed.signal }).then(
      () => true,
      () => true,
    );
    // Runs may start other runs, which must settle too.
    for (let isLate = ms === 0; this.size > 0 && !isLate;) {
      isLate = await Promise.race([deadline, this.settled().then(() => false)]);
    }
    elapsed.abort();
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#runs.values()].map(({ settled }) => settled));
  }

  async #execute(
    { runId, token }: QueueClaim,
    run: Pick<ClaimedRun, 'stop' | 'release' | 'stored' | 'refusal'>,
    prepare: () => Promise<void>,
  ): Promise<void> {
    const { ports, workerId, logger } = this.#options;
    try {
      const files = await this.#claimFiles(runId, token);
      let execution;
      try {
        await prepare();
        const runPorts = { ...ports, runs: this.#storeFor(files), children: this.#children };
        execution = await executeRun({ id: runId, lease: { ownerId: workerId, token }, ...run }, runPorts);
      } finally {
        await files.close();
      }
      if (execution === 'released') logger.info({ runId }, 'run released to the next worker');
      if (execution === 'lost') logger.warn({ runId }, 'run claimed by another worker');
    } catch (error) {
      // The run stays claimed by this worker, and the search for lost runs returns it to its queue.
      logger.error({ runId, error }, 'run could not be executed');
    }
  }

  #claimFiles(runId: string, token: number): Promise<ClaimedFiles> {
    const { runFiles, runs, stopping, logger } = this.#options;
    return runFiles.claim({ token, load: () => loadRun(runs, runId), stopping, logger });
  }

  /** Returns the store of a run that executes here with these files. */
  #storeFor(files: Pick<ClaimedFiles, 'flush'>): RunStore {
    const { runs, ports, stopping, logger } = this.#options;
    const worker = { flushFiles: () => files.flush(), timer: ports.timer, logger, stopping };
    return { ...runs, commit: (id, event) => runs.commit(id, event, { audit: unaudited, worker }) };
  }
}

function toRefusal({ reason, failures }: NonNullable<QueueClaim['givenUp']>): string {
  const what = reason === 'worker_lost' ? 'its worker was lost' : 'it could not be executed';
  return `Given up: ${what}, after ${failures} failures of its workers.`;
}
