/** What was made of texts, least recently used first out, bounded by the length of the texts. */
export class CodeCache<Made> {
  readonly #maxLength: number;
  // A Map keeps the order of insertion; what is used goes to its end.
  readonly #kept = new Map<string, Made>();
  #length = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  getOr(text: string, make: () => Made): Made {
    const kept = this.#kept.get(text);
    if (kept !== undefined) {
      this.#kept.delete(text);
      this.#kept.set(text, kept);
      return kept;
    }
    const made = make();
    this.#kept.set(text, made);
    this.#length += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#length <= this.#maxLength) break;
      this.#kept.delete(oldest);
      this.#length -= oldest.length;
    }
    return made;
  }
}
