import type { ParseResult } from '@weir/workflow-spec';

/** An LRU cache of parse results, bounded by the total size of their specs. */
export class ResultCache {
  readonly #maxTextBytes: number;
  // A Map keeps insertion order; used entries move to the end.
  readonly #entries = new Map<string, { readonly result: ParseResult; readonly textBytes: number }>();
  #textBytes = 0;

  constructor(maxTextBytes: number) {
    this.#maxTextBytes = maxTextBytes;
  }

  get(key: string): ParseResult | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.result;
  }

  put(key: string, result: ParseResult, textBytes: number): void {
    this.#remove(key);
    this.#entries.set(key, { result, textBytes });
    this.#textBytes += textBytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#textBytes <= this.#maxTextBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#textBytes -= this.#entries.get(key)?.textBytes ?? 0;
    this.#entries.delete(key);
  }
}
