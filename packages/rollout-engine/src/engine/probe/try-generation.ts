import { randomUUID } from 'node:crypto';
import { isAppError } from '@weir/foundation';
import type { GenerationRequest, SamplingParameters, TokenChoice } from '../port/inference-engine';
import type { AnswerLedger, VersionMode } from '../http/answer-ledger';
import type { ExpertShape } from '../port/recording';
import type { ProbeDeps } from './probe-deps';

/** The result of one short generation. */
export interface Trial {
  readonly isAccepted: boolean;
  /** Reason of the failure; empty on success. */
  readonly failure: string;
  readonly count: number;
  readonly doubts: readonly string[];
  readonly isClean: boolean;
  readonly versions: VersionMode;
  readonly logprobs: readonly number[];
  readonly top: readonly (readonly TokenChoice[])[];
  readonly hasExperts: boolean;
  readonly hasMasks: boolean;
}

export interface TrialOptions {
  readonly isStreaming: boolean;
  readonly grammar?: string;
  readonly sampling?: SamplingParameters;
  readonly topLogprobs?: number;
  readonly experts?: ExpertShape;
  readonly samplingMask?: boolean;
  readonly maxNewTokens?: number;
  /** The text of the prompt. */
  readonly text?: string;
}

/** Failures that say nothing about the engine's capabilities: the probe is repeated later. */
const notReady: ReadonlySet<string> = new Set(['unavailable', 'upstream_timeout']);

// Low ids exist in every vocabulary; used without a tokenizer.
const anyIds = [40, 41, 42, 43, 44, 45, 46, 47];

/** Generates a few tokens. Rejects when the probe is aborted, and when the engine is not ready yet. */
export async function tryGeneration(deps: ProbeDeps, options: TrialOptions): Promise<Trial> {
  const text = options.text ?? 'The quick brown fox jumps over the lazy';
  const promptIds = deps.encode === undefined ? Int32Array.from(anyIds) : await deps.encode(text);
  const request = createTrialRequest(promptIds, options);
  const logprobs: number[] = [];
  const top: (readonly TokenChoice[])[] = [];
  let doubt: string | undefined;
  let hasExperts = false;
  let hasMasks = true;
  let versions: VersionMode = 'none';
  let failure = '';
  const observe = (ledger: AnswerLedger): void => {
    versions = ledger.versionMode;
  };
  try {
    for await (const event of deps.generate(request, deps.signal, observe)) {
      if (event.kind === 'end') doubt = event.doubt;
      else {
        logprobs.push(...event.tokens.logprobs);
        top.push(...(event.top ?? []));
        hasExperts ||= event.experts !== undefined;
        hasMasks &&= event.masks?.every((mask) => mask !== undefined) === true;
      }
    }
  } catch (error) {
    deps.signal.throwIfAborted();
    if (!isAppError(error) || notReady.has(error.code)) throw error;
    failure = error.reason ?? error.code;
  }
  const doubts = doubt === undefined ? [] : [doubt];
  const isAccepted = failure === '';
  const isClean = isAccepted && doubts.length === 0;
  return {
    isAccepted,
    failure,
    count: logprobs.length,
    doubts,
    isClean,
    versions,
    logprobs,
    top,
    hasExperts,
    hasMasks,
  };
}

function createTrialRequest(promptIds: Int32Array, options: TrialOptions): GenerationRequest {
  return {
    requestId: `probe-${randomUUID()}`,
    sessionId: 'probe',
    promptIds,
    maxNewTokens: options.maxNewTokens ?? 4,
    sampling: options.sampling ?? {},
    stopTokenIds: [],
    stop: [],
    ...(options.grammar === undefined ? {} : { grammar: options.grammar }),
    topLogprobs: options.topLogprobs ?? 0,
    ...(options.samplingMask === true ? { samplingMask: true } : {}),
    ...(options.experts === undefined ? {} : { routedExperts: { ...options.experts, from: 0 } }),
    isStreaming: options.isStreaming,
  };
}
