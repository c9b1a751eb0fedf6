import type { SamplingMask } from '@weir/rollout-core';

/** Engines refuse cut-offs that leave more; this is a bound for those that do not. */
const maxIds = 4096;

/** The sampling masks of an answer as numbers. Those that are none are a doubt about the whole answer. */
export class MaskBuffer {
  doubt: string | undefined;
  #lengths = new Int32Array(64);
  #ids = new Int32Array(1024);
  #tokens = 0;
  #total = 0;

  /** `mask` is what the engine has reported for the sampled token `id`. */
  push(id: number, mask: unknown): void {
    const ids = this.#check(id, mask);
    if (this.#tokens === this.#lengths.length) this.#lengths = grown(this.#lengths, this.#tokens + 1);
    if (this.#total + ids.length > this.#ids.length) this.#ids = grown(this.#ids, this.#total + ids.length);
    this.#lengths[this.#tokens] = ids.length;
    this.#ids.set(ids, this.#total);
    this.#tokens += 1;
    this.#total += ids.length;
  }

  toMask(): SamplingMask {
    return { lengths: this.#lengths.slice(0, this.#tokens), ids: this.#ids.slice(0, this.#total) };
  }

  #check(id: number, mask: unknown): readonly number[] {
    if (!Array.isArray(mask) || mask.length === 0) return this.#refuse('sampling_mask_missing');
    if (mask.length > maxIds) return this.#refuse('sampling_mask_too_large');
    const ids = mask as readonly unknown[];
    if (!ids.every(isId) || !ids.includes(id)) return this.#refuse('sampling_mask_invalid');
    return ids;
  }

  #refuse(doubt: string): readonly number[] {
    this.doubt ??= doubt;
    return [];
  }
}

const isId = (value: unknown): value is number => typeof value === 'number' && (value | 0) === value && value >= 0;

function grown(array: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(least, array.length * 2));
  larger.set(array);
  return larger;
}
