import { setTimeout as sleepFor } from 'node:timers/promises';
import { AppError, isAppError } from '@weir/foundation';
import type { EngineWeights } from '../http/dialect';
import { leastLoaded, selectReplica } from './replica-choice';
import {
  createReplicaState,
  isUnreachable,
  recordFailure,
  recordHealth,
  type EngineReplica,
  type ReplicaState,
} from './replica-state';
import { createReplicaAdapters, type EngineAdapters } from './replica-adapters';
import { createReplicaWeights } from './replica-weights';
import { watchReplicas } from './watch-replicas';
import type { UpdateWeights } from '../dialects/http-engine';
import type { EngineInfo, GenerationEvent, GenerationRequest, InferenceEngine } from '../port/inference-engine';

export type { EngineReplica };

export interface EngineGroupOptions {
  /** At least one replica, all of one model. */
  readonly replicas: readonly EngineReplica[];
  /** The time between two health checks of a replica. Default 2 s. */
  readonly healthIntervalMs?: number;
  /** Consecutive failures of checks or connections after which a replica is down. Default 2. */
  readonly failuresToDown?: number;
  /** Replicas that are tried for one generation while nothing was sampled. Default 3. */
  readonly maxAttempts?: number;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** The weights for servers that were down. Default: the weights that they start with. */
  readonly initialWeights?: EngineWeights | undefined;
}

export interface ReplicaHealth {
  readonly key: string;
  readonly isUp: boolean;
  readonly load: number;
}

export interface EngineGroup extends InferenceEngine {
  health(): readonly ReplicaHealth[];
  /** `undefined` where a server has no operation for it. Rejects unless every server that answers has the weights. */
  readonly updateWeights: UpdateWeights | undefined;
  readonly adapters: EngineAdapters;
  /** Notes that another process has given the servers these weights: servers that were down get them too. */
  noteWeights(weights: EngineWeights): void;
}

/**
 * Several servers of one model as one engine. A session stays on its replica while that is up, so that its prefix is in
 * the cache there; a generation that fails before its first token is retried on the least loaded other replica.
 */
export function createEngineGroup(options: EngineGroupOptions): EngineGroup {
  const states = options.replicas.map(createReplicaState);
  const stopped = new AbortController();
  const group: { info: EngineInfo | undefined } = { info: undefined };
  const failuresToDown = options.failuresToDown ?? 2;
  const weights = createReplicaWeights(states, options.initialWeights);
  const watching = watchReplicas(
    states,
    {
      intervalMs: options.healthIntervalMs ?? 2_000,
      failuresToDown,
      sleep: options.sleep ?? ((ms, signal) => sleepFor(ms, undefined, { signal, ref: false })),
      admit: async (state, signal) => {
        await weights.restore(state, signal);
        return admit(state, group.info, signal);
      },
    },
    stopped.signal,
  );
  const limits = { failuresToDown, maxAttempts: options.maxAttempts ?? 3 };
  return {
    name: states[0]?.engine.name ?? 'none',
    generate: (request, signal) => generateOnOne(states, limits, request, signal),
    probe: async (signal) => {
      group.info = await probeReplicas(states, signal);
      return group.info;
    },
    updateWeights: weights.update,
    adapters: createReplicaAdapters(states),
    noteWeights: (given) => weights.note(given),
    health: () => states.map(({ key, isUp, load }) => ({ key, isUp, load })),
    stop: async () => {
      stopped.abort();
      await watching;
      await Promise.all(states.map(({ engine }) => engine.stop()));
    },
  };
}

interface AttemptLimits {
  readonly failuresToDown: number;
  readonly maxAttempts: number;
}

async function* generateOnOne(
  states: readonly ReplicaState[],
  limits: AttemptLimits,
  request: GenerationRequest,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent> {
  const tried = new Set<ReplicaState>();
  for (;;) {
    const open = states.filter((state) => state.isUp && !tried.has(state));
    const state = tried.size === 0 ? selectReplica(request.sessionId, open) : leastLoaded(open);
    if (state === undefined) throw noReplica();
    tried.add(state);
    let hasTokens = false;
    state.load += 1;
    try {
      for await (const event of state.engine.generate(request, signal)) {
        hasTokens ||= event.kind === 'tokens';
        yield event;
      }
      return;
    } catch (error) {
      if (isUnreachable(error)) recordFailure(state, limits.failuresToDown);
      const isAnother = tried.size < limits.maxAttempts && states.some((other) => other.isUp && !tried.has(other));
      if (signal.aborted || hasTokens || !isRetryable(error) || !isAnother) throw error;
    } finally {
      state.load -= 1;
    }
  }
}

function isRetryable(error: unknown): boolean {
  return isAppError(error) && error.code === 'unavailable';
}

function noReplica(): AppError {
  return new AppError('unavailable', 'No inference engine is healthy.', { reason: 'no_healthy_replica' });
}

/** Replicas that do not answer are excluded until they do; at least one must answer. */
async function probeReplicas(states: readonly ReplicaState[], signal: AbortSignal): Promise<EngineInfo> {
  const results = await Promise.allSettled(states.map((state) => state.engine.probe(signal)));
  signal.throwIfAborted();
  const info: EngineInfo[] = [];
  for (const [index, result] of results.entries()) {
    const state = states[index];
    if (state === undefined) continue;
    if (result.status === 'fulfilled') {
      recordHealth(state);
      info.push(result.value);
    } else {
      state.isUp = false;
    }
  }
  const [first, ...others] = info;
  if (first === undefined) throw noReplica();
  const merged = mergeEngineInfo(first, others);
  const missing = states.length - info.length;
  if (missing === 0) return merged;
  return { ...merged, remarks: [...merged.remarks, `${missing} of ${states.length} replicas did not answer.`] };
}

/** A replica that recovers may run another build of the engine, so it is probed and must not support less than the group. */
async function admit(state: ReplicaState, group: EngineInfo | undefined, signal: AbortSignal): Promise<boolean> {
  if (group === undefined) return true;
  const info = await state.engine.probe(signal);
  return (
    (group.mode !== 'exact' || info.mode === 'exact') &&
    info.model === group.model &&
    info.contextLength >= group.contextLength &&
    (info.grammar || !group.grammar) &&
    versionRanks[info.versions] >= versionRanks[group.versions]
  );
}

const versionRanks = { none: 0, answer: 1, spans: 2 } as const;

/** Keeps only features that every replica supports: any of them may serve a session. */
function mergeEngineInfo(first: EngineInfo, others: readonly EngineInfo[]): EngineInfo {
  const all = [first, ...others];
  const isEvery = (holds: (info: EngineInfo) => boolean): boolean => all.every(holds);
  const isSame = (read: (info: EngineInfo) => unknown): boolean => isEvery((info) => read(info) === read(first));
  const hasOneModel = isSame((info) => info.model);
  const remarks = new Set(all.flatMap((info) => info.remarks));
  if (!hasOneModel) remarks.add('The replicas report different models.');
  if (!isSame((info) => info.version)) remarks.add('The replicas have different versions of the engine.');
  if (!isSame((info) => info.logprobs))
    remarks.add('The log-probabilities of the replicas are of different distributions.');
  return {
    ...first,
    contextLength: Math.min(...all.map((info) => info.contextLength)),
    acceptsIds: isEvery((info) => info.acceptsIds),
    returnsIds: isEvery((info) => info.returnsIds),
    logprobs: weakest(all, (info) => info.logprobs, ['none', 'unknown', 'raw', 'processed']),
    versions: weakest(all, (info) => info.versions, ['none', 'answer', 'spans']),
    canAbort: isEvery((info) => info.canAbort),
    grammar: isEvery((info) => info.grammar),
    tokenizerParity: weakest(all, (info) => info.tokenizerParity, ['different', 'unknown', 'equal']),
    mode: hasOneModel && isEvery((info) => info.mode === 'exact') ? 'exact' : 'capture-only',
    remarks: [...remarks],
  };
}

function weakest<Value>(
  all: readonly EngineInfo[],
  read: (info: EngineInfo) => Value,
  fromWeakest: readonly [Value, ...Value[]],
): Value {
  return fromWeakest.find((value) => all.some((info) => read(info) === value)) ?? fromWeakest[0];
}
