/**
 * The model, template and engine behind the tokens of a call. They are recorded so that a trainer can check its own
 * computation.
 */
export interface Provenance {
  readonly engine: string;
  readonly engineVersion?: string;
  /** The model as the engine names it. */
  readonly engineModel?: string;
  /** The name of the adapter whose versions the tokens have; none where the weights of the model sampled alone. */
  readonly adapter?: string;
  /** Digest of vocabulary and merges. */
  readonly tokenizer: string;
  /** Whether the engine was found to encode as that tokenizer does. */
  readonly tokenizerParity: 'equal' | 'different' | 'unknown';
  /** Digest of the chat template. */
  readonly template: string;
  /** Whether log-probabilities are of the sampled distribution, or of the one before temperature and cut-offs. */
  readonly logprobs: 'processed' | 'raw' | 'unknown' | 'none';
  /** How exactly the engine reported the weights of a token; `none` means the version that was set at this service. */
  readonly versions: 'spans' | 'answer' | 'none';
  /** Parameters of the request by their names; missing ones were neutral. A bias is an object by token id. */
  readonly sampling: Readonly<Record<string, unknown>>;
  /** Whether a grammar restricted the tokens. */
  readonly isConstrained: boolean;
}
