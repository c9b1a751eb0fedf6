import { rolloutContract } from '@weir/rollout-contract';
import type { Bind } from '../../bind';
import type { IdempotentAnswers } from '../idempotency';
import type { SessionService } from '../sessions';
import type { Scoring } from './scoring';

export interface ScoringRouteOptions {
  readonly scoring: Scoring;
  readonly sessions: SessionService;
  readonly answers: IdempotentAnswers;
}

export function bindScoringRoutes(bind: Bind, { scoring, sessions, answers }: ScoringRouteOptions): void {
  bind(rolloutContract.scoreSession, ({ input, principal: caller, signal }) => {
    const request = input.body;
    // A repeated call does what is left, so that nothing has to be stored as its answer.
    return answers.once({ caller, operation: 'score', request, isRecomputed: true }, async () => {
      const { info, ...result } = await scoring(
        {
          session: sessions.get(request.session_id),
          scorer: request.scorer,
          topLogprobs: request.top_logprobs,
          isRepeated: request.again,
          timeoutMs: request.timeout_seconds * 1000,
        },
        signal,
      );
      return {
        session_id: request.session_id,
        scorer: request.scorer,
        engine: info.engine,
        model: info.model ?? null,
        scored_interactions: result.scored,
        total_interactions: result.total,
        scored_tokens: result.tokens,
      };
    });
  });
}
