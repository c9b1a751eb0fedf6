import { asObject } from '@weir/foundation';
import type { TokenChoice } from '../port/inference-engine';
import type { ScoreRequest } from '../port/token-scorer';
import { mostLikely } from './dialect';
import { engineFailed } from './engine-failure';
import { asCount, asList, type JsonObject } from './json-value';
import type { ScoreLedger } from './score-ledger';

/**
 * vLLM gives each token of the prompt an object with the token itself and as many likeliest ones as `prompt_logprobs`
 * says, by their ids, and null for the first token (`docs/serving/openai_compatible_server.md` and
 * `vllm/entrypoints/serve/disagg/protocol.py` of vllm-project/vllm).
 */
export function readVllmScores(list: unknown, { ids, from, topLogprobs }: ScoreRequest, ledger: ScoreLedger): void {
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
export function readSglangScores(body: JsonObject, { topLogprobs }: ScoreRequest, ledger: ScoreLedger): void {
  const meta = asObject(body.meta_info) ?? {};
  const [, ...triples] = asList(meta.input_token_logprobs) ?? [];
  const [, ...tops] = asList(meta.input_top_logprobs) ?? [];
  triples.forEach((triple, at) => {
    const [logprob, id] = asList(triple) ?? [];
    ledger.push(id, logprob, topLogprobs === 0 ? [] : readSglangChoices(tops[at], topLogprobs));
  });
}

/** The likeliest tokens at one position, of scores and of answers alike. */
export function readSglangChoices(value: unknown, count: number): readonly TokenChoice[] {
  const choices: TokenChoice[] = [];
  for (const item of asList(value) ?? []) {
    const [logprob, id] = asList(item) ?? [];
    const known = asCount(id);
    if (known !== undefined && typeof logprob === 'number') choices.push({ id: known, logprob });
  }
  return mostLikely(choices, count);
}
