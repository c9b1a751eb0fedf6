/** Decodes the ids of one answer as they arrive. Bytes of an incomplete character are buffered. */
export interface TokenDecoder {
  /** Stop tokens and other control tokens have no text unless it was requested. */
  push(ids: Int32Array): string;
  /** Returns buffered bytes as replacement characters. */
  end(): string;
}

/** The model's tokenizer, which gives the same ids as the engine's. */
export interface Tokenizer {
  /** Identifies vocabulary and merges: rows of different digests must not be mixed. */
  readonly digest: string;
  readonly vocabularySize: number;
  /** Jinja source of the chat template. */
  readonly chatTemplate: string;
  /** Tokens that end a message or the text, and stop a generation. */
  readonly endIds: readonly number[];
  /** The value of the template's `bos_token` and `eos_token`. */
  readonly bosToken: string;
  readonly eosToken: string;
  /**
   * Encodes a string without adding tokens. With `control: true` names of control tokens stand for those tokens;
   * otherwise they are ordinary text. Runs off the event loop, or in bounded time on it.
   */
  encode(text: string, options: { readonly control: boolean }): Promise<Int32Array>;
  /** Id of a token by its exact text, including control tokens. */
  findId(token: string): number | undefined;
  /** Bytes of a token; for a control token, its name. */
  tokenBytes(id: number): Uint8Array;
  isControl(id: number): boolean;
  /** `showsControl`: which control tokens are decoded to their names. Default: none. */
  createDecoder(options?: { readonly showsControl?: (id: number) => boolean }): TokenDecoder;
  stop(): Promise<void>;
}
