import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { Matching, ReasoningParserName, ReasoningRetention, ToolParserName } from '@weir/rollout-core';
import type { ExpertShape, Recording } from '@weir/rollout-engine';
import { readVariables, Secret, type LogLevel, type Variables } from '@weir/service-kit';
import { engineVariables, type EngineKind } from './engine-variables';
import type { Prices } from './prices';
import type { ScorerConfig } from './scorer-list';
import { limitVariables } from './limit-variables';
import { serviceVariables } from './service-variables';
import { sessionVariables } from './session-variables';
import { tracingVariables } from './tracing-variables';

/** Every variable the server reads. The table in the README is generated from this. */
export const variables = {
  ...serviceVariables,
  ...engineVariables,
  ...sessionVariables,
  ...limitVariables,
  ...tracingVariables,
} as const satisfies Variables;

/** Bounds of what sessions may take. */
export interface Limits {
  readonly bodyBytes: number;
  readonly sessions: number;
  readonly adapters: number;
  readonly sessionInteractions: number;
  readonly sessionBytes: number;
  readonly bytes: number;
  readonly completionTokens: number;
  readonly sessionTokens: number;
  /** Default: the context that the engine reports. */
  readonly contextTokens: number | undefined;
}

export interface EngineConfig {
  readonly kind: EngineKind;
  readonly urls: readonly string[];
  /** An absolute path of a file for `embedded`; otherwise a name. */
  readonly model: string | undefined;
  /** Generations that `embedded` evaluates at the same time. */
  readonly embeddedSequences: number;
  /** The absolute path of a folder or file. */
  readonly tokenizer: string | undefined;
  /** `undefined`: the chat template decides. */
  readonly toolParser: ToolParserName | undefined;
  readonly reasoningParser: ReasoningParserName | undefined;
  readonly reasoningRetention: ReasoningRetention;
  /** Bearer token for a remote engine. */
  readonly apiKey: Secret | undefined;
  /** That of the model, where experts can be recorded. */
  readonly expertShape: ExpertShape | undefined;
  /** The models that score sessions. */
  readonly scorers: readonly ScorerConfig[];
  readonly scorerApiKey: Secret | undefined;
}

export interface ReplicasConfig {
  readonly databaseUrl: Secret;
  /** Without a trailing slash. `undefined`: the address on which the server listens. */
  readonly address: string | undefined;
  readonly leaseMs: number;
}

export interface TracingConfig {
  /** The whole address of the collector's operation. */
  readonly url: string;
  readonly serviceName: string;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Processes that share the work; 1 is one process without others. */
  readonly workers: number;
  readonly adminKey: Secret | undefined;
  readonly readKey: Secret | undefined;
  readonly hasUserInterface: boolean;
  /** Empty: costs are not known. */
  readonly prices: Prices;
  readonly dataFolder: string;
  readonly journalSync: boolean;
  /** `undefined` for one process without a database. */
  readonly replicas: ReplicasConfig | undefined;
  readonly capacity: number;
  readonly grantMs: number;
  readonly idempotencyMs: number;
  /** How long an adapter without an unfinished session stays loaded. */
  readonly adapterIdleMs: number;
  readonly sessions: {
    readonly idleMs: number;
    readonly endedMs: number;
    readonly exportedMs: number;
    readonly endWaitMs: number;
  };
  readonly engine: EngineConfig;
  /** The allowed differences between an answer and the message that a client sends back. */
  readonly matching: Matching;
  /** What is recorded of calls unless the session or the call says otherwise. */
  readonly recording: Recording;
  readonly limits: Limits;
  readonly log: { readonly level: LogLevel; readonly format: 'text' | 'json' };
  /** `undefined`: nothing is traced. */
  readonly tracing: TracingConfig | undefined;
}

export interface HostEnvironment {
  /** Home folder of the user the process runs as. */
  readonly userHome: string;
  /** Base of relative paths. */
  readonly workingDirectory: string;
}

/** Throws one `invalid_request` that names every invalid variable. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, host: HostEnvironment): Config {
  const values = readVariables(variables, env);
  const absolute = (text: string): string =>
    path.resolve(host.workingDirectory, text.replace(/^~(?=\/|$)/, host.userHome));
  return Object.freeze({
    host: values.ROLLOUT_HOST,
    port: values.ROLLOUT_PORT,
    workers: workersConfig(values),
    adminKey: values.ROLLOUT_ADMIN_KEY === undefined ? undefined : new Secret(values.ROLLOUT_ADMIN_KEY),
    readKey: values.ROLLOUT_READ_KEY === undefined ? undefined : new Secret(values.ROLLOUT_READ_KEY),
    hasUserInterface: values.ROLLOUT_UI,
    prices: values.ROLLOUT_PRICES,
    dataFolder: absolute(values.ROLLOUT_DATA_DIR),
    journalSync: values.ROLLOUT_JOURNAL_SYNC === 'full',
    replicas: replicasConfig(values),
    capacity: values.ROLLOUT_CAPACITY,
    grantMs: values.ROLLOUT_GRANT_SECONDS * 1000,
    idempotencyMs: values.ROLLOUT_IDEMPOTENCY_SECONDS * 1000,
    adapterIdleMs: values.ROLLOUT_ADAPTER_IDLE_SECONDS * 1000,
    sessions: {
      idleMs: values.ROLLOUT_SESSION_IDLE_SECONDS * 1000,
      endedMs: values.ROLLOUT_ENDED_RETENTION_SECONDS * 1000,
      exportedMs: values.ROLLOUT_EXPORT_RETENTION_SECONDS * 1000,
      endWaitMs: values.ROLLOUT_END_WAIT_SECONDS * 1000,
    },
    engine: engineConfig(values, absolute),
    matching: values.ROLLOUT_MATCH,
    recording: recordingConfig(values),
    limits: {
      bodyBytes: values.ROLLOUT_MAX_BODY_BYTES,
      sessions: values.ROLLOUT_MAX_SESSIONS,
      sessionInteractions: values.ROLLOUT_MAX_INTERACTIONS,
      adapters: values.ROLLOUT_MAX_ADAPTERS,
      sessionBytes: values.ROLLOUT_MAX_SESSION_BYTES,
      bytes: values.ROLLOUT_MAX_BYTES,
      completionTokens: values.ROLLOUT_MAX_TURN_TOKENS,
      sessionTokens: values.ROLLOUT_MAX_SESSION_TOKENS,
      contextTokens: values.ROLLOUT_CONTEXT_TOKENS,
    },
    log: { level: values.ROLLOUT_LOG_LEVEL, format: values.ROLLOUT_LOG_FORMAT },
    tracing: tracingConfig(values),
  });
}

function tracingConfig(values: ReturnType<typeof readVariables<typeof variables>>): TracingConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact } = values;
  const url = exact ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/traces`);
  return url === undefined ? undefined : { url, serviceName: values.OTEL_SERVICE_NAME };
}

/** Wrong combinations are found here, so that a replica that cannot work does not start. */
function replicasConfig(values: ReturnType<typeof readVariables<typeof variables>>): ReplicasConfig | undefined {
  const { ROLLOUT_DATABASE_URL: url, ROLLOUT_REPLICA_URL: address, ROLLOUT_HOST: host } = values;
  if (url === undefined) return undefined;
  if (values.ROLLOUT_ADMIN_KEY === undefined) throw invalid('ROLLOUT_ADMIN_KEY, the same for all replicas');
  if (values.ROLLOUT_ENGINE === 'embedded')
    throw invalid('an engine that all replicas use: ROLLOUT_ENGINE is embedded');
  if (address === undefined && ['0.0.0.0', '::', ''].includes(host)) {
    throw invalid('ROLLOUT_REPLICA_URL, where the other replicas reach this one');
  }
  return {
    databaseUrl: new Secret(url),
    address: address?.replace(/\/+$/, ''),
    leaseMs: values.ROLLOUT_LEASE_SECONDS * 1000,
  };
}

/** The embedded engine belongs to one process. */
function workersConfig(values: ReturnType<typeof readVariables<typeof variables>>): number {
  const { ROLLOUT_WORKERS: workers, ROLLOUT_ENGINE: engine, ROLLOUT_REPLICA_URL: address } = values;
  if (workers === 1) return workers;
  const refuse = (what: string) =>
    new AppError('invalid_request', `ROLLOUT_WORKERS above 1 needs ${what}.`, { reason: 'config_invalid' });
  if (engine === 'embedded') throw refuse('an engine that all workers use: ROLLOUT_ENGINE is embedded');
  if (address?.startsWith('https:') === true) {
    throw refuse('a ROLLOUT_REPLICA_URL with http: each worker is reached at a port of its own');
  }
  return workers;
}

function invalid(what: string): AppError {
  return new AppError('invalid_request', `ROLLOUT_DATABASE_URL needs ${what}.`, { reason: 'config_invalid' });
}

/** What no engine of the kind can give is refused here, so that nobody waits for it. */
function recordingConfig(values: ReturnType<typeof readVariables<typeof variables>>): Recording {
  const { ROLLOUT_ENGINE: kind, ROLLOUT_EXPERTS: experts, ROLLOUT_RECORD_ROUTED_EXPERTS: routedExperts } = values;
  if (routedExperts && experts === undefined) throw unusable('ROLLOUT_RECORD_ROUTED_EXPERTS needs ROLLOUT_EXPERTS.');
  if (experts !== undefined && (kind === 'embedded' || kind === 'llama-cpp')) {
    throw unusable(`ROLLOUT_EXPERTS needs SGLang or vLLM: ROLLOUT_ENGINE is ${kind}, which does not report experts.`);
  }
  const samplingMask = values.ROLLOUT_RECORD_SAMPLING_MASK;
  if (samplingMask && kind !== 'sglang' && kind !== 'vllm-generate') {
    throw unusable(`ROLLOUT_RECORD_SAMPLING_MASK needs sglang or vllm-generate: ROLLOUT_ENGINE is ${kind}.`);
  }
  // Log-probabilities of prompts cost the engine its prefix cache, so that only sessions and calls ask for them.
  return { topLogprobs: values.ROLLOUT_RECORD_TOP_LOGPROBS, promptLogprobs: false, samplingMask, routedExperts };
}

const unusable = (message: string): AppError => new AppError('invalid_request', message, { reason: 'config_invalid' });

function engineConfig(
  values: ReturnType<typeof readVariables<typeof variables>>,
  absolute: (text: string) => string,
): EngineConfig {
  const { ROLLOUT_ENGINE: kind, ROLLOUT_MODEL: model, ROLLOUT_TOKENIZER: tokenizer } = values;
  return {
    kind,
    urls: values.ROLLOUT_ENGINE_URLS,
    model: model !== undefined && kind === 'embedded' ? absolute(model) : model,
    embeddedSequences: values.ROLLOUT_EMBEDDED_SEQUENCES,
    tokenizer: tokenizer === undefined ? undefined : absolute(tokenizer),
    toolParser: values.ROLLOUT_TOOL_PARSER,
    reasoningParser: values.ROLLOUT_REASONING_PARSER,
    reasoningRetention: values.ROLLOUT_REASONING_RETENTION,
    apiKey: values.ROLLOUT_ENGINE_API_KEY === undefined ? undefined : new Secret(values.ROLLOUT_ENGINE_API_KEY),
    expertShape: values.ROLLOUT_EXPERTS,
    scorers: values.ROLLOUT_SCORERS,
    scorerApiKey: values.ROLLOUT_SCORER_API_KEY === undefined ? undefined : new Secret(values.ROLLOUT_SCORER_API_KEY),
  };
}
