export type FakeEngineDialect = 'sglang' | 'vllm' | 'vllm-generate' | 'llama-cpp';

/** What goes wrong in one answer. Without any, the answer is right. */
export interface FakeFaults {
  /** Answered with this status and nothing else. */
  readonly status?: number;
  /** Error text of `status`. */
  readonly message?: string;
  /** The connection is reset before the head of the answer, or after this many tokens of a stream. */
  readonly resetBeforeAnswer?: boolean;
  readonly resetAfterTokens?: number;
  /** The body ends after this many tokens, without its last part. A whole answer is cut in its middle. */
  readonly truncateAfterTokens?: number;
  /** Goes on past every limit until the client leaves. */
  readonly isEndless?: boolean;
  /** Waits with the answer until the client leaves or `release` is called. */
  readonly isHeld?: boolean;
  /** Waits behind this many tokens of a stream. */
  readonly holdAfterTokens?: number;
  /** `short`: one too few. `null`, `nan`, `-9999`, `positive`: in the place of one. `missing`: none at all. */
  readonly logprobs?: 'missing' | 'null' | 'nan' | 'minus-9999' | 'positive' | 'short';
  /** One piece of a stream is sent twice. */
  readonly duplicatePiece?: boolean;
  readonly wrongPromptEcho?: boolean;
  /** Answers as a success without any id. */
  readonly noIds?: boolean;
  /** An id that is none. */
  readonly malformedId?: boolean;
  /** Ids in one list differ from those in the other. */
  readonly disagreeingIds?: boolean;
  /** The end does not say why. */
  readonly noFinishReason?: boolean;
  /** Version spans with a hole. */
  readonly brokenSpans?: boolean;
  /** The answer is no JSON. */
  readonly garbage?: boolean;
}

export interface FakeAnswer {
  readonly ids: readonly number[];
  /** One an id, at most 0; made from the seed otherwise. */
  readonly logprobs?: readonly number[];
  /** `length` when the ids are as many as were asked for, else `stop`. */
  readonly finishReason?: 'stop' | 'length' | 'abort';
  readonly cachedTokens?: number;
  /** Tokens of each piece of a stream. Default 1; `seeded`: 1 to 5. */
  readonly tokensPerPiece?: number | 'seeded';
  /** Every byte is written alone. */
  readonly byteByByte?: boolean;
  /** SGLang: every piece holds all tokens so far. */
  readonly isCumulative?: boolean;
  /** The version label becomes the next number behind this many tokens. */
  readonly versionChangeAfter?: number;
  readonly faults?: FakeFaults;
}

export interface FakeEngineRequest {
  /** From 0. */
  readonly callNumber: number;
  /** What the client named the generation; empty where the dialect has no name. */
  readonly requestId: string;
  /** Of the routing header. */
  readonly routingKey: string;
  readonly promptIds: readonly number[];
  readonly maxNewTokens: number;
  readonly isStreaming: boolean;
  readonly temperature: number;
  readonly topLogprobs: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Ids of an answer, or more about it. */
export type FakeScript = (request: FakeEngineRequest) => readonly number[] | FakeAnswer;

/** What the fake engine sampled, for comparison bit by bit. */
export interface FakeCall {
  readonly request: FakeEngineRequest;
  readonly ids: Int32Array;
  readonly logprobs: Float32Array;
  /** -1 where no label was set. */
  readonly versions: Int32Array;
  /** The client left before the answer was whole. */
  readonly isLeft: boolean;
}

export interface FakeEngineOptions {
  readonly dialect: FakeEngineDialect;
  /** Default: ids from the seed, as many as were asked for but at most 16. */
  readonly script?: FakeScript;
  /** Default 1. */
  readonly seed?: number;
  /** Default 1,000: ids are below. */
  readonly vocabularySize?: number;
  readonly contextLength?: number;
  readonly model?: string;
  /** `spans`: one span list an answer; `answer`: one label; `none`. Default: what the dialect can. */
  readonly versions?: 'spans' | 'answer' | 'none';
  /** Default `default`, as engines start. */
  readonly weightVersion?: string;
  /** Whether temperature is in the log-probabilities. Default `processed`. */
  readonly logprobMode?: 'processed' | 'raw';
  /** The engine's own tokenizer; without it `/tokenize` is not found. */
  readonly encode?: (text: string) => readonly number[];
  /** Same answer to every call from bytes made once, and nothing recorded: for benchmarks. Ids of the answer. */
  readonly instant?: readonly number[];
  /** Refuses a grammar. */
  readonly refusesGrammar?: boolean;
}

export interface FakeEngine {
  readonly url: string;
  /** Generations in order of their arrival; empty in instant mode. */
  readonly calls: readonly FakeCall[];
  /** Names of generations that the client aborted by a call. */
  readonly abortCalls: readonly string[];
  /** Generations received, in instant mode too. */
  callCount(): number;
  /** Of connections that were opened since the start. */
  connectionCount(): number;
  setScript(script: FakeScript): void;
  setWeightVersion(label: string): void;
  /** `failing`: 503; `silent`: no answer. */
  setHealth(health: 'good' | 'failing' | 'silent'): void;
  /** Ends every held answer as aborted, with what was sent so far. */
  abortRunning(): void;
  /** Lets held answers go on. */
  release(): void;
  stop(): Promise<void>;
}
