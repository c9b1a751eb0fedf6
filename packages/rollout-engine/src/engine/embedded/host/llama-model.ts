import { totalmem } from 'node:os';
import type { LlamaContextSequence, Llama, LlamaGrammar, LlamaModel, Token } from 'node-llama-cpp';
import type { LoadedModelInfo, HostSettings } from './host-messages';
import type { Distribution, SampledToken, TokenCheck } from './sampler';

export interface LoadedModel {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly sequences: readonly LlamaContextSequence[];
  readonly info: LoadedModelInfo;
}

const fallbackContextLength = 4_096;
const leastContextLength = 2_048;

export async function loadModel(settings: HostSettings): Promise<LoadedModel> {
  const { getLlama, LlamaLogLevel } = await import('node-llama-cpp');
  const { threads, sequences } = settings;
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    maxThreads: threads,
    logLevel: LlamaLogLevel.error,
  });
  const model = await llama.loadModel({ modelPath: settings.modelFile });
  const contextSize = await chooseContextLength(model, settings);
  const context = await model.createContext({
    sequences,
    contextSize,
    threads,
    flashAttention: false,
    // With the usual 16-bit cache, log-probabilities of two passes over the same tokens differ by 5e-3.
    // oxlint-disable typescript/no-deprecated -- marked so because it may change; the version is exact
    experimentalKvCacheKeyType: 'F32',
    experimentalKvCacheValueType: 'F32',
    // oxlint-enable typescript/no-deprecated
  });
  const { general } = model.fileInfo.metadata;
  return {
    llama,
    model,
    sequences: Array.from({ length: sequences }, () => context.getSequence()),
    info: {
      version: llama.llamaCppRelease.release,
      model: general.name,
      contextLength: context.contextSize,
      vocabularySize: Array.from(model.iterateAllTokens()).length,
      grammar: grammarCalls(llama) !== undefined,
    },
  };
}

/** The trained length, halved until all caches fit into a quarter of the memory. */
async function chooseContextLength(model: LlamaModel, { contextLength, sequences }: HostSettings): Promise<number> {
  const { GgmlType } = await import('node-llama-cpp');
  const trained = model.trainContextSize || fallbackContextLength;
  if (contextLength !== undefined) return Math.min(contextLength, trained);
  for (let length = trained; ; length = Math.floor(length / 2)) {
    const { cpuRam } = await model.fileInsights.estimateContextResourceRequirementsV2({
      contextSize: length,
      modelGpuLayers: 0,
      sequences,
      flashAttention: false,
      kvCacheKeyType: GgmlType.F32,
      kvCacheValueType: GgmlType.F32,
    });
    if (cpuRam <= totalmem() / 4 || length / 2 < leastContextLength) return length;
  }
}

/** The branded ids of the library. */
export const asTokens = (ids: Int32Array): Token[] => Array.from(ids) as Token[];

// Nothing is cut off: the defaults of the library would return the 40 most likely tokens, normalised to 1.
const wholeDistribution = { topK: 0, topP: 1, minP: 0 } as const;

interface NextTokenOptions {
  readonly temperature: number;
  /** The library samples a token only if a seed is given. */
  readonly seed?: number;
  /** Whether the whole distribution is returned, which costs time in proportion to the vocabulary. */
  readonly probabilities: boolean;
}

/** Evaluates tokens and samples the next one. At temperature 0 the distribution is that of temperature 1. */
export async function evaluate(
  sequence: LlamaContextSequence,
  ids: Int32Array,
  { temperature, seed, probabilities }: NextTokenOptions,
): Promise<{ readonly token: SampledToken | undefined; readonly distribution: Distribution | undefined }> {
  const tokens = asTokens(ids);
  const last = tokens.pop();
  if (last === undefined) throw new Error('There is nothing to evaluate.');
  const isSampled = seed !== undefined;
  const options = {
    ...wholeDistribution,
    temperature: isSampled ? temperature : temperature || 1,
    ...(isSampled && { seed }),
  };
  const generateNext = { token: isSampled, confidence: isSampled, probabilities, options };
  const output = await sequence.controlledEvaluate([...tokens, [last, { generateNext }]]);
  const next = output[tokens.length]?.next;
  if (next === undefined) throw new Error('The library returned nothing.');
  return {
    token: isSampled ? toSampledToken(next.token, next.confidence) : undefined,
    distribution: next.probabilities === undefined ? undefined : toDistribution(next.probabilities),
  };
}

function toSampledToken(id: number | null | undefined, confidence: number | undefined): SampledToken {
  if (typeof id !== 'number' || confidence === undefined) throw new Error('The library sampled no token.');
  return { id, logprob: Math.min(0, Math.log(confidence)) };
}

/** Evaluates tokens and returns the log-probability of each one's successor. */
export async function evaluateEach(
  sequence: LlamaContextSequence,
  ids: Int32Array,
  { successors, temperature }: { readonly successors: Int32Array; readonly temperature: number },
): Promise<Float32Array> {
  const generateNext = { probabilities: true, options: { ...wholeDistribution, temperature: temperature || 1 } };
  const output = await sequence.controlledEvaluate(asTokens(ids).map((token) => [token, { generateNext }]));
  return Float32Array.from(successors, (id, index) =>
    Math.log(output[index]?.next.probabilities?.get(id as Token) ?? 0),
  );
}

function toDistribution(map: ReadonlyMap<number, number>): Distribution {
  const ids = new Int32Array(map.size);
  const probabilities = new Float64Array(map.size);
  let index = 0;
  for (const [id, probability] of map) {
    ids[index] = id;
    probabilities[index++] = probability;
  }
  return { ids, probabilities, size: map.size };
}

export interface GrammarState {
  readonly isAllowed: TokenCheck;
  accept(id: number): void;
}

interface GrammarCalls {
  canBeNextTokenForGrammarEvaluationState(state: unknown, id: number): boolean;
  acceptGrammarEvaluationStateToken(state: unknown, id: number): void;
}

// The library applies grammars only in its own sampler, which returns probabilities after the grammar. Those before it
// are needed here, so two internal calls are used; without them grammars are not supported.
function grammarCalls(llama: Llama): GrammarCalls | undefined {
  const { _bindings } = llama as unknown as { readonly _bindings?: { readonly AddonSampler?: Partial<GrammarCalls> } };
  const sampler = _bindings?.AddonSampler;
  const isThere =
    typeof sampler?.acceptGrammarEvaluationStateToken === 'function' &&
    typeof sampler.canBeNextTokenForGrammarEvaluationState === 'function';
  return isThere ? (sampler as GrammarCalls) : undefined;
}

/** The state of a grammar during one answer. */
export async function startGrammar({ llama, model }: LoadedModel, grammar: LlamaGrammar): Promise<GrammarState> {
  const { LlamaGrammarEvaluationState } = await import('node-llama-cpp');
  const calls = grammarCalls(llama);
  const { _state } = new LlamaGrammarEvaluationState({ model, grammar }) as unknown as { readonly _state?: unknown };
  if (calls === undefined || _state === undefined) throw new Error('This version of the library has no grammars.');
  return {
    isAllowed: (id) => calls.canBeNextTokenForGrammarEvaluationState(_state, id),
    accept: (id) => calls.acceptGrammarEvaluationStateToken(_state, id),
  };
}
