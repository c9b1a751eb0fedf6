import { asObject } from '@weir/foundation';
import { sglangDialect } from '../dialects/sglang';
import { vllmDialect } from '../dialects/vllm';
import { vllmGenerateDialect } from '../dialects/vllm-generate';
import { throwVllmError } from '../dialects/vllm-shared';
import { definedOnly, mostLikely, type Dialect } from '../http/dialect';
import { engineFailed } from '../http/engine-failure';
import { asCount, asList, type JsonObject } from '../http/json-value';
import type { TokenChoice } from '../port/inference-engine';
import type { ScoreRequest } from '../port/token-scorer';
import type { ScoreLedger } from './score-ledger';

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

/**
 * vLLM gives each token of the prompt an object with the token itself and as many likeliest ones as `prompt_logprobs`
 * says, by their ids, and null for the first token (`docs/serving/openai_compatible_server.md` and
 * `vllm/entrypoints/serve/disagg/protocol.py` of vllm-project/vllm). At least one token is generated, and ignored.
 */
const vllmSampling = ({ topLogprobs }: ScoreRequest): JsonObject => ({
  max_tokens: 1,
  temperature: 1,
  prompt_logprobs: topLogprobs,
});

function readVllm(list: unknown, { ids, from, topLogprobs }: ScoreRequest, ledger: ScoreLedger): void {
  const entries = asList(list);
  if (entries?.length !== ids.length) throw engineFailed('scores_missing');
  for (let at = from; at < entries.length; at += 1) {
    const entry = asObject(entries[at]) ?? {};
    const id = ids[at] ?? 0;
    const own = asObject(entry[String(id)]);
    if (own === undefined) throw engineFailed('scores_differ');
    ledger.push(id, own.logprob, topLogprobs === 0 ? [] : readVllmChoices(entry, topLogprobs));
  }
}

function readVllmChoices(entry: JsonObject, count: number): readonly TokenChoice[] {
  const choices: TokenChoice[] = [];
  for (const [text, value] of Object.entries(entry)) {
    const { logprob } = asObject(value) ?? {};
    const id = asCount(Number(text));
    if (id !== undefined && typeof logprob === 'number') choices.push({ id, logprob });
  }
  return mostLikely(choices, count);
}

/**
 * SGLang scores from the token after `logprob_start_len`: `input_token_logprobs` begins there, with null for its first
 * token, and `input_top_logprobs` beside it (`python/sglang/srt/managers/io_struct.py` of sgl-project/sglang).
 */
function readSglang(body: JsonObject, { topLogprobs }: ScoreRequest, ledger: ScoreLedger): void {
  const meta = asObject(body.meta_info) ?? {};
  const [, ...triples] = asList(meta.input_token_logprobs) ?? [];
  const [, ...tops] = asList(meta.input_top_logprobs) ?? [];
  triples.forEach((triple, at) => {
    const [logprob, id] = asList(triple) ?? [];
    ledger.push(id, logprob, topLogprobs === 0 ? [] : readSglangChoices(tops[at], topLogprobs));
  });
}

function readSglangChoices(value: unknown, count: number): readonly TokenChoice[] {
  const choices: TokenChoice[] = [];
  for (const item of asList(value) ?? []) {
    const [logprob, id] = asList(item) ?? [];
    const known = asCount(id);
    if (known !== undefined && typeof logprob === 'number') choices.push({ id: known, logprob });
  }
  return mostLikely(choices, count);
}

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
    read: readSglang,
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
      readVllm(asObject(asList(body.choices)?.[0])?.prompt_logprobs, request, ledger);
    },
  },
  'vllm-generate': {
    base: vllmGenerateDialect,
    body: (request, model) =>
      definedOnly({ model, request_id: request.requestId, sampling_params: vllmSampling(request), stream: false }),
    read: (body, request, ledger) => {
      throwVllmError(body);
      readVllm(body.prompt_logprobs, request, ledger);
    },
  },
};
