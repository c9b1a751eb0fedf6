import { createWaitList } from '@weir/foundation';

export interface StalenessOptions {
  /** Episodes that may run at the same time. */
  readonly maxConcurrent: number;
  /** Trajectories of one training step. */
  readonly batchSize: number;
  /** How many versions the weights of a trajectory may be behind the trained ones. 0 is on-policy. */
  readonly maxStaleness: number;
  /** Version of the weights at the start. Default 0. With a later one, its batches count as accepted. */
  readonly version?: number;
}

/**
 * Limits how far ahead of training episodes may run. With `running` episodes, `accepted` trajectories and the weights at
 * `version`, as many more may start as
 *
 * `min(maxConcurrent - running, (maxStaleness + version + 1) * batchSize - (accepted + running))`
 *
 * The second term is what training consumes up to the version at which a trajectory that starts now would be too stale.
 */
export class StalenessControl {
  readonly #options: StalenessOptions;
  readonly #changed = createWaitList();
  #version: number;
  #accepted: number;
  #running = 0;

  constructor(options: StalenessOptions) {
    for (const [name, least] of [
      ['maxConcurrent', 1],
      ['batchSize', 1],
      ['maxStaleness', 0],
    ] as const) {
      if (!Number.isSafeInteger(options[name]) || options[name] < least) {
        throw new RangeError(`${name} must be a whole number from ${least}.`);
      }
    }
    this.#options = options;
    this.#version = options.version ?? 0;
    this.#accepted = this.#version * options.batchSize;
  }

  get running(): number {
    return this.#running;
  }

  get accepted(): number {
    return this.#accepted;
  }

  get version(): number {
    return this.#version;
  }

  /** How many episodes may start now. */
  get capacity(): number {
    const { maxConcurrent, maxStaleness, batchSize } = this.#options;
    const consumable = (maxStaleness + this.#version + 1) * batchSize;
    return Math.min(maxConcurrent - this.#running, consumable - (this.#accepted + this.#running));
  }

  /** Waits until an episode may start, and counts it as running. An aborted signal rejects. */
  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.capacity <= 0) await this.#changed.wait(signal);
    this.#running += 1;
  }

  /** Ends an episode. A rejected one, or a group that was filtered, gives its room back. */
  release(isAccepted: boolean): void {
    if (this.#running === 0) throw new RangeError('No episode is running.');
    this.#running -= 1;
    if (isAccepted) this.#accepted += 1;
    this.#changed.wakeAll();
  }

  /** The weights were updated. Throws a `RangeError` for a lower version. */
  setVersion(version: number): void {
    if (!Number.isSafeInteger(version) || version < this.#version) {
      throw new RangeError(`The version of the weights cannot go from ${this.#version} to ${version}.`);
    }
    this.#version = version;
    this.#changed.wakeAll();
  }
}
