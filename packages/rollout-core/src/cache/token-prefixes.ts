import type { Interaction } from './interaction';
import { collectPathIds } from './path-tokens';

/** Two hashes of the first ids of a path, which continue id by id. */
interface PrefixHash {
  readonly low: number;
  readonly high: number;
}

const noIds: PrefixHash = { low: 17, high: 23 };

/**
 * Finds interactions by the tokens of their paths. A look-up takes one step for each token of the prompt, whatever the
 * session holds.
 */
export class TokenPrefixes {
  /** By the hash of a whole path, the latest interaction that has it. */
  readonly #ends = new Map<number, Interaction>();
  readonly #hashes = new Map<Interaction, PrefixHash>();

  add(interaction: Interaction): void {
    const { parent, inheritedTokens, contextIds, sampled } = interaction;
    const start = parent === undefined || inheritedTokens === 0 ? noIds : this.#hashOf(parent, inheritedTokens);
    const whole = extend(extend(start, contextIds), sampled.ids);
    this.#hashes.set(interaction, whole);
    this.#ends.set(toKey(whole.low, whole.high), interaction);
  }

  /** The accepted interaction with the longest path that the ids begin with. */
  deepest(ids: Int32Array, accepts: (interaction: Interaction) => boolean): Interaction | undefined {
    const found: Interaction[] = [];
    extend(noIds, ids, (key, length) => {
      const interaction = this.#ends.get(key);
      if (interaction?.pathTokens === length) found.push(interaction);
    });
    return found.findLast((interaction) => accepts(interaction) && beginsWith(ids, collectPathIds(interaction)));
  }

  #hashOf(parent: Interaction, length: number): PrefixHash {
    const whole = length === parent.pathTokens ? this.#hashes.get(parent) : undefined;
    return whole ?? extend(noIds, collectPathIds(parent).subarray(0, length));
  }
}

/** `visit` gets the key and the length of every prefix. */
function extend(start: PrefixHash, ids: Int32Array, visit?: (key: number, length: number) => void): PrefixHash {
  let { low, high } = start;
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] ?? 0;
    low = Math.imul(low ^ id, 0x01_00_01_93);
    high = Math.imul(high, 0x5b_d1_e9_95) + id + 1;
    high ^= high >>> 15;
    visit?.(toKey(low, high), at + 1);
  }
  return { low, high };
}

/** 53 bits, which a map holds as one number. */
const toKey = (low: number, high: number): number => (low >>> 0) * 0x20_00_00 + (high >>> 11);

function beginsWith(ids: Int32Array, prefix: Int32Array): boolean {
  return prefix.length <= ids.length && prefix.every((id, at) => ids[at] === id);
}
