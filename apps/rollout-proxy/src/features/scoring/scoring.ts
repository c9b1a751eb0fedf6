import { randomUUID } from 'node:crypto';
import { AppError } from '@weir/foundation';
import { collectPathIds, planScoring, type ScoringTask, type TokenScores } from '@weir/rollout-core';
import type { ScorerInfo, TokenScorer } from '@weir/rollout-engine';
import type { Session } from '../sessions';

/** The configured models by their names. */
export type Scorers = ReadonlyMap<string, TokenScorer>;

export interface ScoringRequest {
  readonly session: Session;
  readonly scorer: string;
  readonly topLogprobs: number;
  /** Whether calls that this model has scored are scored again. */
  readonly isRepeated: boolean;
  readonly timeoutMs: number;
}

export interface ScoringResult {
  readonly info: ScorerInfo;
  /** Calls that were scored now. */
  readonly scored: number;
  /** Calls that have scores of the model now. */
  readonly total: number;
  /** Sampled tokens of the calls that were scored now. */
  readonly tokens: number;
}

/**
 * Has a model score a session that has ended. Scores are stored call by call, so that a request that was cancelled, was
 * late or failed is continued by the next one.
 */
export type Scoring = (request: ScoringRequest, signal: AbortSignal) => Promise<ScoringResult>;

/** Sequences of one session that a model scores at the same time. */
const maxParallel = 4;

export function createScoring(scorers: Scorers): Scoring {
  /** Sessions and models of running requests. */
  const running = new Set<string>();
  return async (request, signal) => {
    const scorer = scorers.get(request.scorer);
    if (scorer === undefined) throw scorerUnknown(request.scorer, [...scorers.keys()]);
    const key = JSON.stringify([request.session.id, request.scorer]);
    if (running.has(key)) throw scoringRunning();
    assertEnded(request.session);
    running.add(key);
    try {
      return await scoreSession(scorer, request, signal);
    } finally {
      running.delete(key);
    }
  };
}

async function scoreSession(scorer: TokenScorer, request: ScoringRequest, signal: AbortSignal): Promise<ScoringResult> {
  const { session, scorer: name, topLogprobs, isRepeated, timeoutMs } = request;
  const late = AbortSignal.timeout(timeoutMs);
  const failed = new AbortController();
  const either = AbortSignal.any([signal, late, failed.signal]);
  const done = { scored: 0, tokens: 0 };
  try {
    const info = await scorer.info(either);
    const tasks = planScoring(session.cache, { scorer: name, topLogprobs, isRepeated })[Symbol.iterator]();
    const work = async (): Promise<void> => {
      for (const task of tasks) {
        const scores = await scoreTask(scorer, task, { topLogprobs, signal: either });
        for (const part of splitScores(task, scores)) {
          await session.addScores({ scorer: name, interactionId: part.interactionId, scores: part.scores, info });
          done.scored += 1;
          done.tokens += part.scores.logprobs.length;
        }
      }
    };
    // The first failure stops the others, which are awaited before the request is answered.
    const workers = Array.from({ length: maxParallel }, () =>
      work().catch((error: unknown) => {
        if (!failed.signal.aborted) failed.abort(error);
      }),
    );
    await Promise.all(workers);
    either.throwIfAborted();
    const total = [...session.cache].filter(({ id }) => session.cache.scores.get(name, id) !== undefined).length;
    return { info, ...done, total };
  } catch (error) {
    signal.throwIfAborted();
    throw late.aborted ? notFinished(done.scored) : error;
  }
}

async function scoreTask(
  scorer: TokenScorer,
  { interaction, parts }: ScoringTask,
  { topLogprobs, signal }: { readonly topLogprobs: number; readonly signal: AbortSignal },
): Promise<{ readonly from: number; readonly scores: TokenScores }> {
  signal.throwIfAborted();
  const from = parts[0]?.from ?? interaction.pathTokens;
  const ids = collectPathIds(interaction);
  return { from, scores: await scorer.score({ requestId: `score-${randomUUID()}`, ids, from, topLogprobs }, signal) };
}

/** The scores of each call of a sequence. Copies: a view would keep those of the context in memory. */
function splitScores(
  { parts }: ScoringTask,
  { from: first, scores: { logprobs, top } }: { readonly from: number; readonly scores: TokenScores },
) {
  return parts.map(({ interaction, from, to }) => {
    const [begin, end] = [from - first, to - first];
    const cut = <A extends Int32Array | Float32Array>(array: A, width: number): A =>
      // `slice` of either kind of array gives that kind, which its declared type does not say.
      array.slice(begin * width, end * width) as A;
    const scores: TokenScores = {
      logprobs: cut(logprobs, 1),
      ...(top === undefined
        ? {}
        : { top: { count: top.count, ids: cut(top.ids, top.count), logprobs: cut(top.logprobs, top.count) } }),
    };
    return { interactionId: interaction.id, scores };
  });
}

function assertEnded(session: Session): void {
  const { state } = session.status();
  if (state === 'ended' || state === 'exported') return;
  throw new AppError('conflict', 'A session is scored after its end.', { reason: 'session_not_ended' });
}

function scorerUnknown(name: string, known: readonly string[]): AppError {
  return new AppError('not_found', `ROLLOUT_SCORERS has no model "${name}".`, {
    reason: 'scorer_not_found',
    details: { scorers: known },
  });
}

function scoringRunning(): AppError {
  return new AppError('conflict', 'This model is scoring the session already.', { reason: 'scoring_running' });
}

function notFinished(scored: number): AppError {
  return new AppError('upstream_timeout', 'The session was not scored in time; repeat the request to go on.', {
    reason: 'scoring_not_finished',
    details: { scored },
  });
}
