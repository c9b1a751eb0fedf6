import { asObject } from '@weir/foundation';
import { sglangDialect } from '../dialects/sglang';
import { vllmDialect } from '../dialects/vllm';
import { vllmGenerateDialect } from '../dialects/vllm-generate';
import { throwVllmError } from '../dialects/vllm-shared';
import { definedOnly, type Dialect } from '../http/dialect';
import { asList, type JsonObject } from '../http/json-value';
import { readSglangScores, readVllmScores } from '../http/read-scores';
import type { ScoreLedger } from '../http/score-ledger';
import type { ScoreRequest } from '../port/token-scorer';

/** How one kind of engine scores a prompt. */
export interface ScoringDialect {
  readonly base: Dialect;
  /** The body without the prompt. */
  body(request: ScoreRequest, model: string | undefined): JsonObject;
  read(body: JsonObject, request: ScoreRequest, ledger: ScoreLedger): void;
}

/** The engines that score prompts. llama.cpp's server does not report log-probabilities of a prompt. */
export const scoringKinds = ['sglang', 'vllm', 'vllm-generate'] as const;
export type ScoringKind = (typeof scoringKinds)[number];

/** At least one token is generated, and ignored. */
const vllmSampling = ({ topLogprobs }: ScoreRequest): JsonObject => ({
  max_tokens: 1,
  temperature: 1,
  prompt_logprobs: topLogprobs,
});

export const scoringDialects: Readonly<Record<ScoringKind, ScoringDialect>> = {
  sglang: {
    base: sglangDialect,
    body: ({ requestId, from, topLogprobs }) => ({
      rid: requestId,
      sampling_params: { max_new_tokens: 0, temperature: 1 },
      return_logprob: true,
      logprob_start_len: from - 1,
      top_logprobs_num: topLogprobs,
      return_text_in_logprobs: false,
      stream: false,
    }),
    read: readSglangScores,
  },
  vllm: {
    base: vllmDialect,
    body: (request, model) =>
      definedOnly({
        model,
        request_id: request.requestId,
        ...vllmSampling(request),
        add_special_tokens: false,
        stream: false,
      }),
    read: (body, request, ledger) => {
      throwVllmError(body);
      readVllmScores(asObject(asList(body.choices)?.[0])?.prompt_logprobs, request, ledger);
    },
  },
  'vllm-generate': {
    base: vllmGenerateDialect,
    body: (request, model) =>
      definedOnly({ model, request_id: request.requestId, sampling_params: vllmSampling(request), stream: false }),
    read: (body, request, ledger) => {
      throwVllmError(body);
      readVllmScores(body.prompt_logprobs, request, ledger);
    },
  },
};
