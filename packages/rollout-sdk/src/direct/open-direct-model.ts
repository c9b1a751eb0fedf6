import {
  createCompletionModel,
  type CompletionModel,
  type CompletionModelOptions,
  type EngineInfo,
  type InferenceEngine,
} from '@weir/rollout-engine';

export interface DirectModelOptions extends Pick<
  CompletionModelOptions,
  'tokenizer' | 'toolParser' | 'reasoningParser' | 'reasoningRetention'
> {
  /** An engine of `@weir/rollout-engine`; with `createGenerationControl` it outlives updates of its weights. */
  readonly engine: InferenceEngine;
  /** Tokens of one completion, also the default for requests without a limit. Default 8192. */
  readonly maxCompletionTokens?: number;
  /** Tokens sampled in one episode. Default 10,000,000. */
  readonly maxSessionTokens?: number;
  readonly signal?: AbortSignal;
}

export interface DirectModel extends CompletionModel {
  readonly info: EngineInfo;
}

/** Probes the engine. One model serves the clients of all episodes. Rejects as the engine's `probe` does. */
export async function openDirectModel(options: DirectModelOptions): Promise<DirectModel> {
  const { engine, maxCompletionTokens = 8192, maxSessionTokens = 10_000_000 } = options;
  const info = await engine.probe(options.signal ?? new AbortController().signal);
  const limits = { defaultNewTokens: maxCompletionTokens, maxNewTokens: maxCompletionTokens, maxSessionTokens };
  return { ...createCompletionModel({ ...options, engineInfo: () => info, limits }), info };
}
