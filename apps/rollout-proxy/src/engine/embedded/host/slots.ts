/** A place in the key-value cache. */
export interface Slot<Sequence> {
  readonly sequence: Sequence;
  /** What the cache holds, in the order of its positions. */
  held: Int32Array;
  sessionId: string | undefined;
  lastUse: number;
  isBusy: boolean;
}

export interface SlotRequest {
  readonly sessionId: string | undefined;
  readonly ids: Int32Array;
}

interface Waiting<Sequence> {
  readonly request: SlotRequest;
  readonly resolve: (slot: Slot<Sequence>) => void;
}

/**
 * Hands out places in the cache: the one that already holds most of the prompt, unless that would cost another
 * conversation more than half of what it has; then the one unused for longest. Who comes first is served first.
 */
export class Slots<Sequence> {
  readonly #slots: readonly Slot<Sequence>[];
  readonly #waiting: Waiting<Sequence>[] = [];
  #uses = 0;

  constructor(sequences: readonly Sequence[]) {
    this.#slots = sequences.map((sequence) => ({
      sequence,
      held: new Int32Array(0),
      sessionId: undefined,
      lastUse: 0,
      isBusy: false,
    }));
  }

  /** Rejects with the signal's reason. Whoever has a slot must give it back. */
  acquire(request: SlotRequest, signal: AbortSignal): Promise<Slot<Sequence>> {
    signal.throwIfAborted();
    const slot = this.#choose(request);
    if (slot !== undefined) return Promise.resolve(this.#take(slot, request));
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

  release(slot: Slot<Sequence>): void {
    slot.isBusy = false;
    const next = this.#waiting.shift();
    if (next !== undefined) next.resolve(this.#take(this.#choose(next.request) ?? slot, next.request));
  }

  #take(slot: Slot<Sequence>, { sessionId }: SlotRequest): Slot<Sequence> {
    slot.isBusy = true;
    slot.sessionId = sessionId;
    slot.lastUse = ++this.#uses;
    return slot;
  }

  #choose({ sessionId, ids }: SlotRequest): Slot<Sequence> | undefined {
    let best: Slot<Sequence> | undefined;
    let bestPrefix = 0;
    let oldest: Slot<Sequence> | undefined;
    for (const slot of this.#slots) {
      if (slot.isBusy) continue;
      if (oldest === undefined || slot.lastUse < oldest.lastUse) oldest = slot;
      const prefix = commonPrefix(slot.held, ids);
      const isWorthIt = slot.sessionId === sessionId ? prefix * 4 >= slot.held.length : prefix * 2 >= slot.held.length;
      if (isWorthIt && prefix > bestPrefix) {
        best = slot;
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
