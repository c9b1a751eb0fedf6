/** Turns the ids of one answer into text as they come. Bytes of a character that is not whole yet are held back. */
export interface TokenDecoder {
  /** Stop tokens and other control tokens give no text unless they were asked for. */
  push(ids: Int32Array): string;
  /** What was held back, as replacement characters. */
  end(): string;
}

/** The model's own tokenizer: the engine's and this one give the same ids. */
export interface Tokenizer {
  /** Names vocabulary and merges: rows of two digests must not be mixed. */
  readonly digest: string;
  readonly vocabularySize: number;
  /** Jinja source of the chat template. */
  readonly chatTemplate: string;
  /** Ends of a turn or of the text, which stop a generation. */
  readonly endIds: readonly number[];
  /** For the template's `bos_token` and `eos_token`. */
  readonly bosToken: string;
  readonly eosToken: string;
  /**
   * Ids of a text, without a token that the text does not name. `control: true` reads the names of control tokens as
   * those tokens; without it they are text like any other. Off the event loop, or in bounded time on it.
   */
  encode(text: string, options: { readonly control: boolean }): Promise<Int32Array>;
  /** Id of a token by its exact text, control tokens too. */
  findId(token: string): number | undefined;
  /** Bytes that a token stands for; of a control token, its name. */
  tokenBytes(id: number): Uint8Array;
  isControl(id: number): boolean;
  /** `showControl`: names of control tokens come as text, as parsers of tool calls may need. */
  createDecoder(options?: { readonly showControl?: boolean }): TokenDecoder;
  stop(): Promise<void>;
}
