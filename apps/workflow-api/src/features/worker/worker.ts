import type { RunPorts } from '@weir/workflow-engine';
import type { Logger } from '@weir/service-kit';
import type { LocalWorker } from '../runs';
import type { Listeners } from '../../adapters/listeners';
import type { QueueDriver } from '../queue/store';
import type { RunFiles } from '../../run-files';
import { ActiveRuns, type ExecutedRuns } from './active-runs';
import { ClaimLoop } from './claim-loop';
import { Claims } from './claims';
import { hasLiveLease, type Heartbeat } from './heartbeat';
import { LostRuns } from './lost-runs';
import type { StoredChildRuns } from './child-placement';
import type { ScriptFolder } from './script-folder';
import { runStopLoop } from './stop-loop';
import type { WorkerIdentity, WorkerRepository } from './worker-repository';

export interface WorkerOptions extends Omit<RunPorts, 'children' | 'runs'> {
  readonly children: StoredChildRuns;
  readonly identity: WorkerIdentity;
  readonly heartbeat: Heartbeat;
  /** Sends the logs and artifacts of the worker's runs to their store. */
  readonly runFiles: Pick<RunFiles, 'claim'>;
  readonly workers: Pick<WorkerRepository, 'listAlive' | 'remove' | 'removeSilent'>;
  readonly runs: ExecutedRuns;
  readonly queue: Pick<QueueDriver<never>, 'claim' | 'listClaims' | 'fail' | 'subscribe' | 'watch'>;
  /** Announces the runs whose end was requested in this process. */
  readonly stopRequests: Pick<Listeners<string>, 'subscribe'>;
  /** The folder for the scripts of steps. */
  readonly scripts: ScriptFolder;
  readonly logger: Logger;
  /** Limits the runs at the same time. Default: 50. */
  readonly maxRuns?: number;
  /** Pause between two polls of the queue when nothing wakes the worker. Default: 1 s. */
  readonly pollMs?: number;
  /** Whether the database may have changed since it last returned true; otherwise the poll is skipped. Default: always. */
  readonly mayHaveChanged?: () => boolean;
  /** Pause between two polls for requests to stop. Default: 1 s. */
  readonly stopPollMs?: number;
  /** Time between two searches for lost runs. Default: 2 s. */
  readonly recoverMs?: number;
  /** Time between two searches for files that dead workers left on this machine. Default: 0, with every search for their runs. */
  readonly cleanMs?: number;
  /** A worker without heartbeats keeps its claims for this time. Default: 10 s. */
  readonly leaseMs?: number;
  /** Runs continue for this time when the worker stops, and are then given back. Default: 0. */
  readonly drainMs?: number;
  /** Whether workers of other machines may claim its child runs. Default: false. */
  readonly isShared?: boolean;
}

const defaults = {
  maxRuns: 50,
  pollMs: 1_000,
  stopPollMs: 1_000,
  recoverMs: 2_000,
  cleanMs: 0,
  leaseMs: 10_000,
  drainMs: 0,
  isShared: false,
  mayHaveChanged: () => true,
};

/** Executes runs in this process, and resumes those of lost workers. */
export class Worker {
  readonly name = 'worker';
  readonly #options: WorkerOptions & typeof defaults;
  /** After its abort, nothing is claimed any more. */
  readonly #draining = new AbortController();
  /** After its abort, nothing executes any more. */
  readonly #stopping = new AbortController();
  readonly #active: ActiveRuns;
  readonly #claims: Claims;
  readonly #lost: LostRuns;
  readonly #claimLoop: ClaimLoop;
  #loops: readonly Promise<void>[] = [];
  #subscriptions: readonly (() => void)[] = [];
  #isStarted = false;
  #stopped: Promise<void> | undefined;
  #unwatch: () => Promise<void> = () => Promise.resolve();

  constructor(given: WorkerOptions) {
    const options = { ...defaults, ...given };
    const { signal: stopping } = this.#stopping;
    const shared = { ...options, workerId: options.identity.id, labels: options.identity.labels, stopping };
    this.#options = options;
    const isLeaseLive = (): boolean => hasLiveLease(options.heartbeat, options.leaseMs);
    this.#active = new ActiveRuns({ ...shared, ports: options, isLeaseLive, onSettled: () => this.wake() });
    const claiming = { ...shared, stopping: this.#draining.signal };
    this.#claims = new Claims({ ...claiming, isLeaseLive, hasCapacity: () => this.#active.hasCapacity() });
    this.#lost = new LostRuns(claiming, this.#active, this.#claims);
    this.#claimLoop = new ClaimLoop(claiming, { active: this.#active, claims: this.#claims, lost: this.#lost });
  }

  /** Runs that were just stored can execute here at once. */
  get local(): LocalWorker {
    return this.#active;
  }

  /** The owner of the runs that execute here. */
  get id(): string {
    return this.#options.identity.id;
  }

  /**
   * Stores a first heartbeat, claims lost runs, and starts to claim queued ones. Without `claimsQueued`, only runs
   * that are passed to `execute` are executed.
   */
  async start({ claimsQueued }: { readonly claimsQueued: boolean }): Promise<void> {
    const { heartbeat, queue, stopRequests, stopPollMs } = this.#options;
    await heartbeat.start(claimsQueued);
    this.#isStarted = true;
    if (claimsQueued) this.#unwatch = await queue.watch();
    this.#subscriptions = [
      queue.subscribe(() => this.wake()),
      stopRequests.subscribe((runId) => this.#active.stop(runId)),
    ];
    if (claimsQueued) await this.#lost.search();
    this.#active.isOpen = claimsQueued;
    const { signal: stopping } = this.#stopping;
    const stopLoop = { ...this.#options, workerId: this.id, pollMs: stopPollMs, stopping };
    this.#loops = [runStopLoop(stopLoop, this.#active), ...(claimsQueued ? [this.#claimLoop.run()] : [])];
  }

  /** Wakes the worker, because a run was queued, or a slot of a queue is free. */
  wake(): void {
    this.#claimLoop.wake();
  }

  /**
   * Executes a run that is stored as claimed by this worker with this token. Default: the first token. Never rejects:
   * the end of the run is stored with it.
   */
  execute(runId: string, token = 1): Promise<void> {
    return this.#active.start({ runId, token });
  }

  /**
   * Claims this root run and its descendants whenever they are queued: a step may queue a run that it waits for, and
   * the answer of a person may queue the root run itself.
   */
  claimWithin(rootId: string): void {
    this.#claims.rootId = rootId;
    this.#loops = [...this.#loops, this.#claimLoop.run()];
  }

  /** Requests the end of a run. Returns false when it does not execute here. */
  stopRun(id: string): boolean {
    return this.#active.stop(id);
  }

  /** Claims no more runs and releases those in progress; no process of a step is left when it resolves. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#draining.abort();
    this.#active.isOpen = false;
    this.wake();
    await this.#active.settledWithin(this.#options.drainMs);
    this.#stopping.abort();
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    await this.#unwatch();
    // The runs are not stopped: the next worker resumes them.
    this.#active.releaseAll();
    await Promise.all([...this.#loops, this.#lost.settled()]);
    await this.#active.settled();
    const { scripts, heartbeat, workers } = this.#options;
    if (this.#isStarted) await scripts.removeAll([this.id]);
    await heartbeat.stop();
    if (this.#isStarted) await workers.remove(this.id);
  }
}
