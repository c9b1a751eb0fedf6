import { llamaCppDialect } from './llama-cpp';
import { sglangDialect } from './sglang';
import { vllmDialect } from './vllm';
import { vllmGenerateDialect } from './vllm-generate';
import type {
  Dialect,
  EngineDescription,
  EngineDialect,
  EngineWeights,
  LogprobMode,
  UpdateEngineWeights,
} from '../http/dialect';
import { isAppError } from '@weir/foundation';
import { createEngineConnection, type ConnectionLimits, type EngineConnection } from '../http/engine-connection';
import { modelUnknownReason, parameterNotSupported, promptTooLong } from '../http/engine-failure';
import { runGeneration, type GenerationDeps } from '../http/run-generation';
import { createServerAdapters, type NoteLoad, type ServerAdapters } from '../http/server-adapters';
import type {
  AdapterVersion,
  EngineInfo,
  GenerationEvent,
  GenerationRequest,
  InferenceEngine,
} from '../port/inference-engine';
import type { Generate } from '../probe/probe-deps';
import type { ExpertShape, Recording } from '../port/recording';
import { probeEngine } from '../probe/probe-engine';
import type { EncodeText } from '../port/tokenizer-parity';

export interface HttpEngineOptions {
  readonly dialect: EngineDialect;
  /** The URL of the server, with the base path of its routes, if any. */
  readonly url: string;
  /** The name of the model at the engine. Default: probed. */
  readonly model?: string;
  readonly apiKey?: string;
  readonly limits?: ConnectionLimits;
  /** The upper limit; the engine may report less. Default: the reported length, otherwise 4096 with a remark. */
  readonly contextLength?: number;
  /** The service's own tokenizer, which is compared with the engine's. */
  readonly encode?: EncodeText;
  /** What the service records of calls by default: a probe tries whether the engine gives it. */
  readonly recording?: Partial<Recording>;
  /** That of the model, where experts may be recorded: a probe tries whether the engine reports such ones. */
  readonly expertShape?: ExpertShape;
  readonly noteLoad?: NoteLoad | undefined;
}

/** One server of an engine, over HTTP. */
export interface HttpEngine extends InferenceEngine {
  /** Whether the server reports to be healthy; rejects when it does not answer. */
  checkHealth(signal: AbortSignal): Promise<boolean>;
  /** Has the server read weights; see `UpdateEngineWeights`. `undefined` where it has no operation for it. */
  readonly updateWeights?: UpdateWeights | undefined;
  readonly adapters: ServerAdapters;
  /** Whether the server loads adapters while it runs. */
  readonly areAdaptersLoadable: boolean;
}

export type UpdateWeights = (weights: EngineWeights, signal: AbortSignal) => Promise<void>;

/**
 * SGLang, vLLM or the server of llama.cpp as an `InferenceEngine`. Answers are checked token by token; inconsistencies
 * become the `doubt` of the end. Versions that the engine does not report are -1: wrap it with
 * `createGenerationControl`.
 */
export function createHttpEngine(options: HttpEngineOptions): HttpEngine {
  const dialect = dialects[options.dialect];
  const connection = createEngineConnection(options.url, options.apiKey, options.limits);
  const adapters = createServerAdapters(dialect.adapters, connection, options.noteLoad);
  const stopped = new AbortController();
  const known: KnownEngine = { description: definedOptions(options), logprobs: 'unknown', info: undefined };
  const generate: Generate = (request, signal, observe) => {
    if (request.routedExperts !== undefined && dialect.routedExperts === 'none') {
      throw parameterNotSupported('routed_experts');
    }
    if (request.promptLogprobsFrom !== undefined && dialect.promptLogprobs === 'none') {
      throw parameterNotSupported('prompt_logprobs');
    }
    if (request.samplingMask === true && dialect.samplingMask === 'none') throw parameterNotSupported('sampling_mask');
    refuseUnsupported(request, known.description.contextLength, known.info);
    const doubt = logprobDoubt(known.logprobs, request);
    const { model } = known.description;
    const deps = { dialect, connection, model, doubt, observe, stopped: stopped.signal };
    return request.adapter === undefined
      ? runGeneration(deps, request, signal)
      : runWithAdapter(deps, adapters, { ...request, adapter: request.adapter }, signal);
  };
  return {
    name: options.dialect,
    generate: (request, signal) => deferred(() => generate(request, signal, ignoreLedger)),
    adapters,
    areAdaptersLoadable: dialect.adapters.unload !== undefined,
    probe: async (signal) => {
      const reported = await describeEngine(dialect, connection, signal);
      known.description = { ...reported, ...definedOptions(options, reported) };
      known.info = await probeEngine(
        {
          dialect,
          connection,
          generate,
          encode: options.encode,
          recording: options.recording ?? {},
          expertShape: options.expertShape,
          signal,
        },
        known.description,
      );
      known.logprobs = known.info.logprobs;
      return known.info;
    },
    checkHealth: async (signal) => {
      const { status } = await connection.control({ method: 'GET', path: dialect.healthPath }, signal);
      return status >= 200 && status < 300;
    },
    updateWeights: dialect.updateWeights && createUpdate(dialect.updateWeights, connection),
    stop: async () => {
      stopped.abort();
      await connection.stop();
    },
  };
}

type AdapterRequest = GenerationRequest & { readonly adapter: AdapterVersion };

/** A server that has restarted lacks the adapter, and says so before the first token: then it is loaded again, once. */
async function* runWithAdapter(
  deps: GenerationDeps,
  adapters: ServerAdapters,
  request: AdapterRequest,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent> {
  for (let attempt = 1; ; attempt += 1) {
    const use = await adapters.begin(request.adapter, signal);
    try {
      yield* runGeneration({ ...deps, adapter: use.fields }, request, signal);
      return;
    } catch (error) {
      if (!isAppError(error) || error.reason !== modelUnknownReason) throw error;
      use.forget();
      if (attempt > 1 || request.adapter.path === undefined) throw error;
    } finally {
      use.done();
    }
  }
}

/** A large checkpoint on a network drive takes minutes. */
const weightsTimeoutMs = 1_800_000;

const createUpdate =
  (update: UpdateEngineWeights, connection: EngineConnection): UpdateWeights =>
  (weights, signal) =>
    update(
      (method, path, body) => connection.control({ method, path, body, timeoutMs: weightsTimeoutMs }, signal),
      weights,
    );

interface KnownEngine {
  description: EngineDescription;
  logprobs: LogprobMode;
  info: EngineInfo | undefined;
}

const dialects: Readonly<Record<EngineDialect, Dialect>> = {
  sglang: sglangDialect,
  vllm: vllmDialect,
  'vllm-generate': vllmGenerateDialect,
  'llama-cpp': llamaCppDialect,
};

function definedOptions({ model, contextLength }: HttpEngineOptions, reported?: EngineDescription): EngineDescription {
  return {
    ...(model === undefined ? {} : { model }),
    ...(contextLength === undefined
      ? {}
      : { contextLength: Math.min(contextLength, reported?.contextLength ?? contextLength) }),
  };
}

async function describeEngine(
  dialect: Dialect,
  connection: EngineConnection,
  signal: AbortSignal,
): Promise<EngineDescription> {
  return dialect.describe((method, path, body) => connection.control({ method, path, body }, signal));
}

function refuseUnsupported(
  request: GenerationRequest,
  contextLength: number | undefined,
  info: EngineInfo | undefined,
): void {
  if (contextLength !== undefined && request.promptIds.length >= contextLength) throw promptTooLong();
  if (request.grammar !== undefined && info?.grammar === false) throw parameterNotSupported('grammar');
}

/** Log-probabilities before temperature and cut-offs differ from those of the sampled distribution. */
function logprobDoubt(mode: LogprobMode, { sampling, grammar }: GenerationRequest): string | undefined {
  if (mode !== 'raw') return undefined;
  const isNeutral =
    (sampling.temperature ?? 1) === 1 &&
    (sampling.topP ?? 1) >= 1 &&
    (sampling.topK ?? 0) <= 0 &&
    (sampling.minP ?? 0) <= 0 &&
    (sampling.frequencyPenalty ?? 0) === 0 &&
    (sampling.presencePenalty ?? 0) === 0 &&
    (sampling.repetitionPenalty ?? 1) === 1 &&
    (sampling.logitBias?.size ?? 0) === 0 &&
    grammar === undefined;
  return isNeutral ? undefined : 'logprobs_raw';
}

/** Makes a refusal reject the first step, like every other failure. */
async function* deferred(start: () => AsyncIterable<GenerationEvent>): AsyncGenerator<GenerationEvent> {
  yield* start();
}

function ignoreLedger(): void {
  // Only the probe uses it.
}
