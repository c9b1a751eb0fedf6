import type { Matching } from '@weir/rollout-core';
import type { JsonBodyReader, Logger, StartResource } from '@weir/service-kit';
import type { ModelRouters } from './app';
import type { EngineConfig, Limits } from './config';
import type { SessionGuard } from './features/access';
import type { Session } from './features/sessions';
import type { EngineGate } from './features/system';
import type { CheckDrift } from './features/trajectories';

/** What is needed to answer model calls. */
export interface ServingContext {
  readonly config: EngineConfig;
  readonly limits: Limits;
  /** What may differ between an answer and the message that comes back; the caches of sessions have the same. */
  readonly matching: Matching;
  /** Absolute, and there: for what is made at the first start, such as a model. */
  readonly dataFolder: string;
  readonly authenticate: SessionGuard<Session>;
  /** Of the weights that the engine was last said to have. */
  readonly initialVersion: number;
  /** For the bodies of model calls. */
  readonly readBody: JsonBodyReader;
  readonly logger: Logger;
  readonly add: StartResource;
}

/** Engine, tokenizer and protocols, ready to answer. */
export interface ModelServing {
  readonly models: ModelRouters;
  readonly engine: EngineGate;
  /** Compares stored conversations with what the model's template makes of them. */
  readonly checkDrift: CheckDrift;
  /** As clients may name it. */
  readonly modelName: string;
  /** Why model calls are not taken now, as a sentence; `undefined` when they are. */
  notReady(): string | undefined;
}

export type SetUpServing = (context: ServingContext) => Promise<ModelServing>;
