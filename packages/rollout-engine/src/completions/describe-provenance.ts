import type { Provenance } from '@weir/rollout-core';
import type { EngineInfo, SamplingParameters } from '../engine/port/inference-engine';

interface ProvenanceInput {
  readonly engine: EngineInfo;
  readonly tokenizerDigest: string;
  readonly templateDigest: string;
  readonly sampling: SamplingParameters;
  readonly grammar: string | undefined;
  readonly adapter: string | undefined;
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
    // The version of an adapter is set at this service.
    versions: input.adapter === undefined ? versions : 'none',
    ...(input.adapter === undefined ? {} : { adapter: input.adapter }),
    sampling: { ...sampling, ...(logitBias === undefined ? {} : { logitBias: Object.fromEntries(logitBias) }) },
    isConstrained: input.grammar !== undefined,
  };
}
