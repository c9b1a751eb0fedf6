import type { Provenance } from '@weir/rollout-core';
import type { EngineInfo, SamplingParameters } from '../engine/port/inference-engine';

interface ProvenanceInput {
  readonly engine: EngineInfo;
  readonly tokenizerDigest: string;
  readonly templateDigest: string;
  readonly sampling: SamplingParameters;
  readonly grammar: string | undefined;
}

export function describeProvenance(input: ProvenanceInput): Provenance {
  const { engine, version, model, tokenizerParity, logprobs, versions } = input.engine;
  const { logitBias, ...sampling } = input.sampling;
  return {
    engine,
    ...(version === undefined ? {} : { engineVersion: version }),
    ...(model === undefined ? {} : { engineModel: model }),
    tokenizer: input.tokenizerDigest,
    tokenizerParity,
    template: input.templateDigest,
    logprobs,
    versions,
    sampling: { ...sampling, ...(logitBias === undefined ? {} : { logitBias: Object.fromEntries(logitBias) }) },
    isConstrained: input.grammar !== undefined,
  };
}
