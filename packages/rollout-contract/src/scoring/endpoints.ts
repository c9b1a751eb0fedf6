import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { forAdmin } from '../common/access';
import { errorAnswers } from '../common/errors';
import { sessionId } from '../common/texts';
import { maxRecordedTop } from '../sessions/schemas';

const ScoreSessionRequest = z
  .strictObject({
    session_id: sessionId,
    scorer: z.string().min(1).max(32).describe('The name of the model in `ROLLOUT_SCORERS`.'),
    top_logprobs: z
      .int()
      .min(0)
      .max(maxRecordedTop)
      .default(0)
      .describe('How many of the likeliest tokens of the model are stored at each sampled position.'),
    again: z.boolean().default(false).describe('Whether calls that the model has scored are scored again.'),
    timeout_seconds: z
      .number()
      .min(0.001)
      .max(3600)
      .default(600)
      .describe('How long the model may take; a repeated request goes on from there.'),
  })
  .meta({ id: 'ScoreSessionRequest', description: 'The session and the model that scores it.' });

export const ScoreSessionResponse = z
  .object({
    session_id: z.string().describe('Id of the session.'),
    scorer: z.string().describe('The name of the model.'),
    engine: z.string().describe('The kind of its engine.'),
    model: z.string().nullable().describe('The model as its engine names it, where it does.'),
    scored_interactions: z.int().describe('Interactions that this request has scored.'),
    total_interactions: z.int().describe('Interactions of the session with scores of the model.'),
    scored_tokens: z.int().describe('Sampled tokens that this request has scored.'),
  })
  .meta({ id: 'ScoreSessionResponse', description: 'The scores are stored.' });

export type ScoreSessionResponse = z.output<typeof ScoreSessionResponse>;

export const scoreSession = endpoint({
  method: 'POST',
  path: '/rl/score_session',
  operationId: 'scoreSession',
  tag: 'episodes',
  summary: 'Have another model score a session',
  description:
    'A reference or a teacher gives the log-probabilities of the same token ids. They are stored with the session, call by call: a repeated request does what is left. Exports have them with `ref_logprobs` and `ref_top_logprobs` in `include_tensors`.',
  access: forAdmin,
  body: ScoreSessionRequest,
  success: {
    status: 200,
    description: 'All calls that are not in quarantine have scores.',
    schema: ScoreSessionResponse,
  },
  errors: {
    400: {
      description: 'The request is not valid, a conversation is longer than the model allows, or the session is full.',
      reasons: ['request_invalid', 'prompt_too_long', 'session_bytes_exhausted'],
    },
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
    404: { description: 'There is no such session or model.', reasons: ['session_not_found', 'scorer_not_found'] },
    409: {
      description:
        'The session has not ended, the model is scoring it already, or the idempotency key was used with another request.',
      reasons: ['session_not_ended', 'scoring_running', 'idempotency_key_reused'],
    },
    502: {
      description: 'The engine failed, or its scores are not those of the tokens.',
      reasons: ['scores_missing', 'scores_differ', 'tokenizers_differ', 'engine_refused'],
    },
    503: { description: 'The engine cannot be reached.', reasons: ['engine_unreachable'] },
    504: { description: 'The engine was too slow.', reasons: ['scoring_not_finished', 'scoring_too_long'] },
  },
});
