export type FakeEngineDialect = 'sglang' | 'vllm' | 'vllm-generate' | 'llama-cpp';

/** Faults of one response. */
export interface FakeFaults {
  /** The response has this status and no result. */
  readonly status?: number;
  /** Error text of `status`. */
  readonly message?: string;
  /** Resets the connection before the response, or after this many tokens of a stream. */
  readonly resetBeforeAnswer?: boolean;
  readonly resetAfterTokens?: number;
  /** Ends the body after this many tokens without the last part. A response that is not streamed is cut in the middle. */
  readonly truncateAfterTokens?: number;
  /** Streams past every limit until the client disconnects. */
  readonly isEndless?: boolean;
  /** Holds the response until the client disconnects or `release` is called. */
  readonly isHeld?: boolean;
  /** Holds the stream after this many tokens. */
  readonly holdAfterTokens?: number;
  /** `missing`: none. `short`: one too few. The others replace one value. */
  readonly logprobs?: 'missing' | 'null' | 'nan' | 'minus-9999' | 'positive' | 'short';
  /** None of the likeliest tokens, though they were asked for. */
  readonly topLogprobs?: 'missing';
  /** Scores of the prompt: none, one too few, or of another token. */
  readonly scores?: 'missing' | 'short' | 'other';
  /** Experts: none, or one row too few. */
  readonly experts?: 'missing' | 'short';
  /** Sampling masks: none, or without the sampled token. */
  readonly samplingMask?: 'missing' | 'other';
  /** Sends one piece of a stream twice. */
  readonly duplicatePiece?: boolean;
  readonly wrongPromptEcho?: boolean;
  /** Succeeds without any id. */
  readonly noIds?: boolean;
  /** Contains an invalid id. */
  readonly malformedId?: boolean;
  /** The two lists of ids differ. */
  readonly disagreeingIds?: boolean;
  readonly noFinishReason?: boolean;
  /** Version spans with a gap. */
  readonly brokenSpans?: boolean;
  /** The response is not JSON. */
  readonly garbage?: boolean;
}

export interface FakeAnswer {
  readonly ids: readonly number[];
  /** One log-probability for each id, at most 0. Default: from the seed. */
  readonly logprobs?: readonly number[];
  /** Default: `length` if the number of ids reaches the limit of the request, otherwise `stop`. */
  readonly finishReason?: 'stop' | 'length' | 'abort';
  readonly cachedTokens?: number;
  /** Tokens of each piece of a stream. Default 1; `seeded`: 1 to 5. */
  readonly tokensPerPiece?: number | 'seeded';
  /** Writes each byte separately. */
  readonly byteByByte?: boolean;
  /** SGLang: each piece contains all tokens so far. */
  readonly isCumulative?: boolean;
  /** Increments the version label after this many tokens. */
  readonly versionChangeAfter?: number;
  readonly faults?: FakeFaults;
}

export interface FakeEngineRequest {
  /** The number of the call, from 0. */
  readonly callNumber: number;
  /** The client's id; empty if the dialect has none. */
  readonly requestId: string;
  /** The value of the routing header. */
  readonly routingKey: string;
  readonly promptIds: readonly number[];
  readonly maxNewTokens: number;
  readonly isStreaming: boolean;
  readonly temperature: number;
  readonly topLogprobs: number;
  /** The first token of the prompt whose log-probability was asked for, and how many likeliest ones with each. */
  readonly scores: { readonly from: number; readonly top: number } | undefined;
  /** The token whose experts are the first that were asked for. vLLM reports them unasked. */
  readonly expertsFrom: number | undefined;
  /** vLLM reports masks unasked, where the server was started with them. */
  readonly wantsMask: boolean;
  /** The path of the adapter that samples; `undefined` without one. */
  readonly adapter: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

export type FakeScript = (request: FakeEngineRequest) => readonly number[] | FakeAnswer;

export interface FakeControlCall {
  /** The path with its query. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The tokens that the engine sampled, for exact comparison. */
export interface FakeCall {
  readonly request: FakeEngineRequest;
  readonly ids: Int32Array;
  readonly logprobs: Float32Array;
  /** The version is -1 without a label. */
  readonly versions: Int32Array;
  /** The client disconnected before the response was complete. */
  readonly isDisconnected: boolean;
}

/** An adapter that the engine has. */
export interface FakeAdapter {
  readonly name: string;
  readonly path: string;
}

export interface FakeEngineOptions {
  readonly dialect: FakeEngineDialect;
  /** Default: a free one. */
  readonly port?: number;
  /** Default: ids from the seed, at most 16. */
  readonly script?: FakeScript;
  /** Default 1. */
  readonly seed?: number;
  /** Ids are below. Default 1,000. */
  readonly vocabularySize?: number;
  readonly contextLength?: number;
  readonly model?: string;
  /** `spans`: a list of spans; `answer`: one label; `none`. Default: what the dialect supports. */
  readonly versions?: 'spans' | 'answer' | 'none';
  /** Default `default`. */
  readonly weightVersion?: string;
  /** Whether log-probabilities include the temperature. Default `processed`. */
  readonly logprobMode?: 'processed' | 'raw';
  /** The tokenizer; without it `/tokenize` responds 404. */
  readonly encode?: (text: string) => readonly number[];
  /** For benchmarks: responds to every call with the same precomputed bytes and records nothing. */
  readonly instant?: readonly number[];
  /** Rejects requests for more of the likeliest tokens, as vLLM does with `--max-logprobs`. */
  readonly maxTopLogprobs?: number;
  /** The shape of the experts of the model, which are reported then. */
  readonly experts?: { readonly layers: number; readonly perToken: number };
  /** Reports sampling masks, of the sampled token and the one after it. */
  readonly hasSamplingMask?: boolean;
  /** Rejects requests with a grammar. */
  readonly refusesGrammar?: boolean;
  /** Adapters that the server has since its start. llama.cpp knows them by their path and their order. */
  readonly adapters?: readonly FakeAdapter[];
  /** Has no operation that loads adapters, as vLLM without `VLLM_ALLOW_RUNTIME_LORA_UPDATING`. */
  readonly hasFixedAdapters?: boolean;
}

export interface FakeEngine {
  readonly url: string;
  /** In order of arrival; empty in instant mode. */
  readonly calls: readonly FakeCall[];
  /** Request ids that the client aborted. */
  readonly abortCalls: readonly string[];
  /** Also counts in instant mode. */
  callCount(): number;
  connectionCount(): number;
  setScript(script: FakeScript): void;
  setWeightVersion(label: string): void;
  /** Operations that pause, resume and replace the weights, in order. */
  readonly weightCalls: readonly FakeControlCall[];
  /** The source of the current weights; `undefined` for those of the start. */
  weightSource(): string | undefined;
  isPaused(): boolean;
  refuseNextWeights(): void;
  /** Operations that load and unload adapters, in order. */
  readonly adapterCalls: readonly FakeControlCall[];
  /** The names of the adapters that the engine has. */
  adapters(): readonly string[];
  /** Has only the adapters of its start, as after a restart. */
  forgetAdapters(): void;
  refuseNextAdapter(): void;
  /** `failing`: 503; `silent`: no response. */
  setHealth(health: 'good' | 'failing' | 'silent'): void;
  /** Aborts every held response after the tokens that were sent. */
  abortRunning(): void;
  /** How many responses are held now. */
  heldCount(): number;
  /** Continues held responses. */
  release(): void;
  stop(): Promise<void>;
}
