/** A sequence of the key-value cache and what is known about it. */
export interface PooledSequence<Sequence> {
  readonly sequence: Sequence;
  /** The cached tokens, in order. */
  cachedIds: Int32Array;
  sessionId: string | undefined;
  lastUsed: number;
  isBusy: boolean;
}

export interface SequenceRequest {
  readonly sessionId: string | undefined;
  readonly ids: Int32Array;
}

interface Waiting<Sequence> {
  readonly request: SequenceRequest;
  readonly resolve: (pooled: PooledSequence<Sequence>) => void;
}

/**
 * Assigns sequences: the one that caches most of the prompt, unless another conversation would lose more than half of
 * its tokens; otherwise the least recently used one. Requests wait in order.
 */
export class SequencePool<Sequence> {
  readonly #sequences: readonly PooledSequence<Sequence>[];
  readonly #waiting: Waiting<Sequence>[] = [];
  #uses = 0;

  constructor(sequences: readonly Sequence[]) {
    this.#sequences = sequences.map((sequence) => ({
      sequence,
      cachedIds: new Int32Array(0),
      sessionId: undefined,
      lastUsed: 0,
      isBusy: false,
    }));
  }

  /** Rejects with the signal's reason. The sequence must be released. */
  acquire(request: SequenceRequest, signal: AbortSignal): Promise<PooledSequence<Sequence>> {
    signal.throwIfAborted();
    const pooled = this.#choose(request);
    if (pooled !== undefined) return Promise.resolve(this.#assign(pooled, request));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting<Sequence> = {
        request,
        resolve: (given) => {
          signal.removeEventListener('abort', onAbort);
          resolve(given);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
    });
  }

  release(pooled: PooledSequence<Sequence>): void {
    pooled.isBusy = false;
    const next = this.#waiting.shift();
    if (next !== undefined) next.resolve(this.#assign(this.#choose(next.request) ?? pooled, next.request));
  }

  #assign(pooled: PooledSequence<Sequence>, { sessionId }: SequenceRequest): PooledSequence<Sequence> {
    pooled.isBusy = true;
    pooled.sessionId = sessionId;
    pooled.lastUsed = ++this.#uses;
    return pooled;
  }

  #choose({ sessionId, ids }: SequenceRequest): PooledSequence<Sequence> | undefined {
    let best: PooledSequence<Sequence> | undefined;
    let bestPrefix = 0;
    let oldest: PooledSequence<Sequence> | undefined;
    for (const pooled of this.#sequences) {
      if (pooled.isBusy) continue;
      if (oldest === undefined || pooled.lastUsed < oldest.lastUsed) oldest = pooled;
      const prefix = commonPrefix(pooled.cachedIds, ids);
      const isReusable =
        pooled.sessionId === sessionId ? prefix * 4 >= pooled.cachedIds.length : prefix * 2 >= pooled.cachedIds.length;
      if (isReusable && prefix > bestPrefix) {
        best = pooled;
        bestPrefix = prefix;
      }
    }
    return best ?? oldest;
  }
}

export function commonPrefix(left: Int32Array, right: Int32Array): number {
  const length = Math.min(left.length, right.length);
  let index = 0;
  while (index < length && left[index] === right[index]) index++;
  return index;
}
