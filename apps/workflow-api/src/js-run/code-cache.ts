/** An LRU cache of values derived from source code, bounded by the total length of the sources. */
export class CodeCache<Made> {
  readonly #maxLength: number;
  // A Map keeps the order of insertion, and a used entry moves to the end.
  readonly #entries = new Map<string, Made>();
  #length = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  getOrCreate(text: string, make: () => Made): Made {
    const cached = this.#entries.get(text);
    if (cached !== undefined) {
      this.#entries.delete(text);
      this.#entries.set(text, cached);
      return cached;
    }
    const made = make();
    this.#entries.set(text, made);
    this.#length += text.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#length <= this.#maxLength) break;
      this.#entries.delete(oldest);
      this.#length -= oldest.length;
    }
    return made;
  }
}
