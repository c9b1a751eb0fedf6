import type { TokenChoice } from '../../port/inference-engine';

export interface HostSettings {
  readonly modelFile: string;
  readonly threads: number;
  /** The number of concurrent generations; each has its own key-value cache. */
  readonly sequences: number;
  /** Tokens that one sequence can hold; at most the length for which the model was trained. */
  readonly contextLength: number | undefined;
}

/** The rule for sampling a token, without defaults. */
export interface SamplingRule {
  readonly temperature: number;
  readonly topP: number;
  readonly topK: number;
  readonly minP: number;
  readonly frequencyPenalty: number;
  readonly presencePenalty: number;
  readonly seed: number;
  readonly logitBias: ReadonlyMap<number, number>;
}

export interface HostGeneration {
  readonly sessionId: string;
  readonly promptIds: Int32Array;
  readonly maxNewTokens: number;
  readonly sampling: SamplingRule;
  readonly stopTokenIds: readonly number[];
  readonly grammar: string | undefined;
  readonly topLogprobs: number;
  readonly isStreaming: boolean;
}

export interface HostRescoring {
  readonly ids: Int32Array;
  readonly temperature: number;
}

export type HostTask =
  | { readonly kind: 'generate'; readonly generation: HostGeneration }
  | { readonly kind: 'rescore'; readonly rescoring: HostRescoring }
  | { readonly kind: 'encode'; readonly text: string; readonly control: boolean };

/** Sent to the process that holds the model. */
export type HostRequest =
  | { readonly kind: 'start'; readonly settings: HostSettings }
  | { readonly kind: 'task'; readonly call: number; readonly task: HostTask }
  | { readonly kind: 'cancel'; readonly call: number };

export interface LoadedModelInfo {
  readonly version: string;
  /** `undefined` when the file does not name its model. */
  readonly model: string | undefined;
  readonly contextLength: number;
  readonly vocabularySize: number;
  readonly grammar: boolean;
}

export interface HostTokens {
  readonly ids: Int32Array;
  readonly logprobs: Float32Array;
  readonly top: readonly (readonly TokenChoice[])[] | undefined;
}

/** The reason why a task failed. `text` is for logs. */
export interface HostFailure {
  readonly reason: 'grammar_invalid' | 'cancelled' | 'failed';
  readonly text: string;
}

/** Sent by the process that holds the model. Each call ends with one of the kinds after `tokens`. */
export type HostMessage =
  | { readonly kind: 'ready'; readonly info: LoadedModelInfo }
  | { readonly kind: 'not-started'; readonly text: string }
  | { readonly kind: 'tokens'; readonly call: number; readonly tokens: HostTokens }
  | { readonly kind: 'end'; readonly call: number; readonly reason: 'stop' | 'length'; readonly cachedTokens: number }
  | { readonly kind: 'encoded'; readonly call: number; readonly ids: Int32Array }
  | { readonly kind: 'rescored'; readonly call: number; readonly logprobs: Float32Array }
  | { readonly kind: 'failed'; readonly call: number; readonly failure: HostFailure };
