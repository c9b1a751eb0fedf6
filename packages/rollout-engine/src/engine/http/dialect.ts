import type { AdapterVersion, EngineInfo, GenerationRequest, TokenChoice } from '../port/inference-engine';
import type { AnswerLedger } from './answer-ledger';
import type { ControlAnswer } from './engine-connection';
import type { JsonObject } from './json-value';

export type EngineDialect = 'sglang' | 'vllm' | 'vllm-generate' | 'llama-cpp';

/** Reads the parsed bodies of one answer, in order: one, or the events of a stream. */
export interface AnswerReader {
  read(body: JsonObject, ledger: AnswerLedger): void;
}

export interface ControlCall {
  readonly path: string;
  readonly body: JsonObject;
}

/** What an engine reports about itself. */
export interface EngineDescription {
  readonly version?: string;
  readonly model?: string;
  readonly contextLength?: number;
}

export type SendControl = (method: 'GET' | 'POST', path: string, body?: JsonObject) => Promise<ControlAnswer>;

/** Weights that an engine reads itself. */
export interface EngineWeights {
  /** A folder or a name of a model, as the engine finds it. */
  readonly source: string;
  /** The engine uses it as the label of the weights, too. */
  readonly version: number;
}

/**
 * Loads weights by an engine's own operations. Rejects with an `AppError`; the engine may then have the old weights, the
 * new ones or neither.
 */
export type UpdateEngineWeights = (ask: SendControl, weights: EngineWeights) => Promise<void>;

/** How a kind of engine gets adapters. Rejections are `AppError`s. */
export interface AdapterOperations {
  /**
   * Loads a version under this name, or finds it; one that is there is left as it is. Resolves with the fields of a
   * body that choose it.
   */
  load(ask: SendControl, adapter: AdapterVersion, engineName: string): Promise<JsonObject>;
  /** One that is not there is unloaded. `undefined` where adapters are given at the start of the server. */
  readonly unload?: (ask: SendControl, engineName: string) => Promise<void>;
  /** What the server has, by name, with the fields that choose it. `undefined` where adapters are given at the start. */
  readonly list?: (ask: SendControl) => Promise<ReadonlyMap<string, JsonObject>>;
}

/** The wire format of one kind of engine, independent of connections. */
export interface Dialect {
  readonly name: EngineDialect;
  readonly path: string;
  /** Whether its stream contains every id; otherwise answers come in one piece. */
  readonly canStream: boolean;
  readonly healthPath: string;
  /** Notes that apply to every server of this kind. */
  readonly remarks: readonly string[];
  readonly canGrammar: boolean;
  /** Whether it reports log-probabilities of prompts, and only with an answer that is not streamed. */
  readonly promptLogprobs: 'none' | 'streamed' | 'whole';
  /** Whether it reports sampling masks, and only with an answer that is not streamed. */
  readonly samplingMask: 'none' | 'streamed' | 'whole';
  /** Whether it reports routed experts, and only with an answer that is not streamed. */
  readonly routedExperts: 'none' | 'streamed' | 'whole';
  /** The field of the body for the ids of the prompt. */
  readonly promptField: string;
  /** The body without the prompt. `model` is the name that the engine knows. */
  body(request: GenerationRequest, model: string | undefined): JsonObject;
  createReader(request: GenerationRequest): AnswerReader;
  /** This is sent in addition to closing the connection. */
  abortCall(requestId: string): ControlCall | undefined;
  describe(ask: SendControl): Promise<EngineDescription>;
  tokenizeCall(text: string, model: string | undefined): ControlCall;
  readonly adapters: AdapterOperations;
  /** `undefined` for engines without an operation for it. */
  readonly updateWeights?: UpdateEngineWeights;
}

export type LogprobMode = EngineInfo['logprobs'];

export function mostLikely(choices: TokenChoice[], count: number): readonly TokenChoice[] {
  return choices.sort((left, right) => right.logprob - left.logprob).slice(0, count);
}

/** Omits undefined fields, so that the engine applies its neutral value. */
export function definedOnly(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The sampling fields that all engines with token endpoints name alike, neutral by default. */
export function sharedSampling({ sampling, ...request }: GenerationRequest): JsonObject {
  return {
    temperature: sampling.temperature ?? 1,
    top_p: sampling.topP ?? 1,
    top_k: sampling.topK ?? -1,
    min_p: sampling.minP ?? 0,
    frequency_penalty: sampling.frequencyPenalty ?? 0,
    presence_penalty: sampling.presencePenalty ?? 0,
    repetition_penalty: sampling.repetitionPenalty ?? 1,
    logit_bias: sampling.logitBias && Object.fromEntries(sampling.logitBias),
    stop: request.stop.length > 0 ? request.stop : undefined,
    stop_token_ids: request.stopTokenIds.length > 0 ? request.stopTokenIds : undefined,
    skip_special_tokens: false,
  };
}
