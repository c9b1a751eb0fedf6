import { asObject } from '@weir/foundation';
import type { TokenScores } from '@weir/rollout-core';
import type { EngineDescription } from '../http/dialect';
import {
  createEngineConnection,
  readText,
  type ConnectionLimits,
  type EngineConnection,
} from '../http/engine-connection';
import { engineFailed, engineTimeout, promptTooLong } from '../http/engine-failure';
import { idsJson } from '../http/ids-json';
import type { JsonObject } from '../http/json-value';
import { asList } from '../http/json-value';
import { createLimitedSignal } from '../http/limited-signal';
import { compareTokenizers, type EncodeText } from '../port/tokenizer-parity';
import type { ScoreRequest, ScorerInfo, TokenScorer } from '../port/token-scorer';
import { ScoreLedger } from '../http/score-ledger';
import { scoringDialects, type ScoringDialect, type ScoringKind } from './scoring-dialects';

export interface HttpScorerOptions {
  readonly kind: ScoringKind;
  /** The URL of the server, with the base path of its routes, if any. */
  readonly url: string;
  readonly apiKey?: string;
  readonly limits?: ConnectionLimits;
  /** The tokenizer of the ids, which must give the same ones as the engine's. */
  readonly encode: EncodeText;
}

/** A server of SGLang or vLLM as a scorer. It is not reached before its first use. */
export function createHttpScorer(options: HttpScorerOptions): TokenScorer {
  const dialect = scoringDialects[options.kind];
  const connection = createEngineConnection(options.url, options.apiKey, options.limits);
  const stopped = new AbortController();
  let known: EngineDescription | undefined;
  const describe = async (signal: AbortSignal): Promise<EngineDescription> => {
    known ??= await readDescription(dialect, connection, { encode: options.encode, signal });
    return known;
  };
  return {
    info: async (given) => toInfo(options.kind, await describe(AbortSignal.any([given, stopped.signal]))),
    score: async (request, given) => {
      const signal = AbortSignal.any([given, stopped.signal]);
      const description = await describe(signal);
      // One token is generated after the prompt.
      if (request.ids.length >= (description.contextLength ?? Infinity)) throw promptTooLong();
      return send({ dialect, connection, model: description.model }, request, signal);
    },
    stop: async () => {
      stopped.abort();
      await connection.stop();
    },
  };
}

function toInfo(engine: string, { version, model }: EngineDescription): ScorerInfo {
  return { engine, ...(version === undefined ? {} : { version }), ...(model === undefined ? {} : { model }) };
}

/** Scores of other tokens would look like those of ours, so an engine with another tokenizer is refused. */
async function readDescription(
  { base }: ScoringDialect,
  connection: EngineConnection,
  { encode, signal }: { readonly encode: EncodeText; readonly signal: AbortSignal },
): Promise<EngineDescription> {
  const description = await base.describe((method, path, body) => connection.control({ method, path, body }, signal));
  const parity = await compareTokenizers(encode, async (text) => {
    const { path, body } = base.tokenizeCall(text, description.model);
    const answer = await connection.control({ method: 'POST', path, body }, signal);
    return answer.status === 200 ? asList(asObject(answer.json)?.tokens) : undefined;
  });
  if (parity === 'different') throw engineFailed('tokenizers_differ');
  return description;
}

interface ScoreDeps {
  readonly dialect: ScoringDialect;
  readonly connection: EngineConnection;
  readonly model: string | undefined;
}

async function send(deps: ScoreDeps, request: ScoreRequest, signal: AbortSignal): Promise<TokenScores> {
  const { dialect, connection, model } = deps;
  const limit = createLimitedSignal(signal, connection.totalTimeoutMs);
  try {
    const rest = JSON.stringify(dialect.body(request, model));
    const body = `{"${dialect.base.promptField}":${idsJson(request.ids)},${rest.slice(1)}`;
    const answer = await connection.post({ path: dialect.base.path, body }, limit.signal);
    const ledger = new ScoreLedger(request);
    dialect.read(parseAnswer(await readText(answer.chunks, answer.maxBytes)), request, ledger);
    return ledger.finish();
  } catch (error) {
    signal.throwIfAborted();
    throw limit.isLate() ? engineTimeout('scoring_too_long') : error;
  } finally {
    limit.clear();
  }
}

function parseAnswer(text: string): JsonObject {
  try {
    const body = asObject(JSON.parse(text));
    if (body !== undefined) return body;
  } catch {
    // The parser's message would quote the answer.
  }
  throw engineFailed('engine_answer_malformed');
}
