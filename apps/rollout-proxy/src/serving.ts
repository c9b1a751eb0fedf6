import type { Matching } from '@weir/rollout-core';
import type { AdapterVersion, EngineAdapters, Recording } from '@weir/rollout-engine';
import type { JsonBodyReader, Logger, StartResource } from '@weir/service-kit';
import type { RequestHandler } from 'express';
import type { ModelRouters } from './app';
import type { EngineConfig, Limits } from './config';
import type { SessionGuard } from './features/access';
import type { Scorers } from './features/scoring';
import type { Session } from './features/sessions';
import type { TokenTable } from './features/reading';
import type { EngineGate, EngineWeights, StoredWeights } from './features/system';
import type { CheckDrift } from './features/trajectories';
import type { TraceCall } from './protocols/model-route';

export interface ServingContext {
  readonly config: EngineConfig;
  readonly limits: Limits;
  /** The same rule as that of the sessions' caches. */
  readonly matching: Matching;
  /** What is recorded of calls unless the session or the call says otherwise. */
  readonly recording: Recording;
  /** Absolute path of an existing folder, for files that are generated at the first start, such as a model. */
  readonly dataFolder: string;
  readonly authenticate: SessionGuard<Session>;
  /** Answers model calls whose session is in another process. */
  readonly affinity?: RequestHandler | undefined;
  /** Reports model calls; `undefined` where nothing is traced. */
  readonly traceCall?: TraceCall<Session> | undefined;
  /** The weights before the restart. */
  readonly initialWeights: StoredWeights;
  /** Finds the version of an adapter that new tokens have. */
  readonly currentAdapter: (name: string) => Promise<AdapterVersion>;
  /** Stores that the engine is asked to load an adapter. */
  readonly noteAdapterLoad: (adapter: AdapterVersion) => Promise<void>;
  /** Reads the bodies of model calls. */
  readonly readBody: JsonBodyReader;
  readonly logger: Logger;
  readonly add: StartResource;
}

export interface ModelServing {
  readonly models: ModelRouters;
  readonly engine: EngineGate;
  /** `undefined` where the engine has no operation that loads weights. */
  readonly weights?: EngineWeights | undefined;
  /** `undefined` for an engine without adapters. */
  readonly adapters?: EngineAdapters | undefined;
  /** Compares stored conversations with their rendering by the model's template. */
  readonly checkDrift: CheckDrift;
  /** The models that score sessions. */
  readonly scorers: Scorers;
  /** The bytes of tokens, for those who look at them. */
  readonly tokenTable: TokenTable;
  /** The name of the model for clients. */
  readonly modelName: string;
  /** Why model calls are rejected, as a sentence; `undefined` when they are accepted. */
  notReady(): string | undefined;
}

export type SetUpServing = (context: ServingContext) => Promise<ModelServing>;
