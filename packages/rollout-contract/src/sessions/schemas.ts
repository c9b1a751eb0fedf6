import { z } from 'zod';
import { SessionAdapter } from '../adapters/schemas';
import { ignored } from '../common/ignored';
import { nextCursor } from '../common/paging';
import { interactionId, sessionId, sessionKey, taskId } from '../common/texts';

export const maxRecordedTop = 128;

export const Recording = z
  .strictObject({
    top_logprobs: z
      .int()
      .min(0)
      .max(maxRecordedTop)
      .optional()
      .describe('How many of the likeliest tokens at each sampled position, with their log-probabilities.'),
    prompt_logprobs: z
      .boolean()
      .optional()
      .describe(
        'Whether the log-probabilities of the new tokens of each prompt, which costs the engine its prefix cache.',
      ),
    sampling_mask: z
      .boolean()
      .optional()
      .describe('Whether the tokens that top-k and other cut-offs left to sample from.'),
    routed_experts: z
      .boolean()
      .optional()
      .describe('Whether the experts that a mixture of experts chose for each token.'),
  })
  .meta({
    id: 'Recording',
    description: 'What is recorded of calls besides their tokens. Default: as the service is set.',
  });
export type Recording = z.output<typeof Recording>;

export const StartSessionRequest = z
  .looseObject({
    task_id: taskId.default('').describe('The task of the session; the beginning of its id.'),
    api_key: sessionKey
      .nullish()
      .describe('The key of the session: 16 to 256 printable characters. Default: generated.'),
    record: Recording.optional(),
    adapter: SessionAdapter.optional(),
  })
  .meta({ id: 'StartSessionRequest', description: 'A new session.' });
export type StartSessionRequest = z.output<typeof StartSessionRequest>;

export const StartSessionResponse = z
  .object({
    session_id: z.string().describe('Id of the session: the task and a number.'),
    session_api_key: z.string().describe('The key of the session, returned only once.'),
    api_key: z.string().describe('The same key, for older clients.'),
    ignored,
  })
  .meta({ id: 'StartSessionResponse', description: 'The new session.' });
export type StartSessionResponse = z.output<typeof StartSessionResponse>;

export const SetRewardRequest = z
  .looseObject({
    reward: z.number().describe('A finite number.'),
    interaction_id: interactionId.nullish().describe('Default: the last completed interaction.'),
    session_id: sessionId.nullish().describe('The session, if the admin key is used.'),
  })
  .meta({ id: 'SetRewardRequest', description: 'A reward of one interaction.' });
export type SetRewardRequest = z.output<typeof SetRewardRequest>;

export const SetRewardResponse = z
  .object({
    message: z.string().describe('`success`.'),
    session_id: z.string().describe('Id of the session.'),
    interaction_id: z.string().describe('The interaction with the reward.'),
    reward: z.number().describe('The reward that was set.'),
    revision: z.int().describe('Counts the rewards set in this session, including corrections.'),
    ignored,
  })
  .meta({ id: 'SetRewardResponse', description: 'The reward that was set.' });
export type SetRewardResponse = z.output<typeof SetRewardResponse>;

const lossWeight = z.number().min(0);
export const maxWeightRanges = 10_000;

export const SetLossWeightRequest = z
  .strictObject({
    session_id: sessionId.nullish().describe('The session, if the admin key is used.'),
    interaction_id: interactionId
      .nullish()
      .describe('The interaction. Default: all of the session, later ones too, that have no weight of their own.'),
    weight: lossWeight.optional().describe('Of all its trained tokens: a number from 0, finite as a 32-bit float.'),
    ranges: z
      .array(
        z.strictObject({
          from: z.int().min(0).describe('The first sampled token of the interaction, from 0.'),
          to: z.int().min(1).describe('The token after the last one.'),
          weight: lossWeight.describe('Of each token of the range.'),
        }),
      )
      .min(1)
      .max(maxWeightRanges)
      .optional()
      .describe(
        'Instead of `weight`: ranges of the sampled tokens of the interaction, a later one over an earlier one.',
      ),
  })
  .meta({ id: 'SetLossWeightRequest', description: 'How much trained tokens count in the loss.' });
export type SetLossWeightRequest = z.output<typeof SetLossWeightRequest>;

export const SetLossWeightResponse = z
  .object({
    message: z.string().describe('`success`.'),
    session_id: z.string().describe('Id of the session.'),
  })
  .meta({ id: 'SetLossWeightResponse', description: 'The weights are set.' });

export const EndSessionRequest = z
  .looseObject({ session_id: sessionId.nullish().describe('The session, if the admin key is used.') })
  .default({})
  .meta({ id: 'EndSessionRequest', description: 'Optional.' });

export const EndSessionResponse = z
  .object({
    message: z.string().describe('`success`.'),
    interaction_count: z.int().describe('Completed interactions.'),
  })
  .meta({ id: 'EndSessionResponse', description: 'The ended session.' });
export type EndSessionResponse = z.output<typeof EndSessionResponse>;

export const SessionState = z
  .enum(['active', 'ending', 'ended', 'exported'])
  .meta({ id: 'SessionState', description: 'The state of the session.' });
export type SessionState = z.output<typeof SessionState>;

export const ModelTokens = z
  .object({
    model: z.string().describe('The model that the agent asked for; `(others)` for those beyond 32 of a session.'),
    calls: z.int().describe('Completed calls.'),
    prompt_tokens: z.int().describe('Tokens of their prompts, each prompt as a whole.'),
    cached_tokens: z.int().describe('Those that the engine reported as read from its cache; 0 where it reports none.'),
    sampled_tokens: z.int().describe('Tokens of their answers.'),
  })
  .meta({ id: 'ModelTokens', description: 'The calls of one model together.' });
export type ModelTokens = z.output<typeof ModelTokens>;

export const SessionSummary = z
  .object({
    session_id: z.string().describe('Id of the session.'),
    task_id: z.string().describe('The task of the session.'),
    number: z.int().describe('Orders sessions by their start, those of all replicas together.'),
    state: SessionState,
    end_reason: z.enum(['client', 'idle']).optional().describe('Whether a client or the idle time ended it.'),
    interaction_count: z.int().describe('Completed interactions.'),
    turns_under_way: z.int().describe('Running model calls.'),
    bytes: z.int().describe('Size of its interactions in memory.'),
    sampled_tokens: z.int().describe('Tokens sampled in the session.'),
    reward_revision: z.int().describe('How often a reward was set.'),
    reward: z.number().nullable().describe('Sum of the rewards of its interactions; null without any.'),
    adapter: z
      .string()
      .nullable()
      .describe('The LoRA adapter that samples in it, whose versions its tokens have; null without one.'),
    first_version: z.int().nullable().describe('Smallest version of the weights that sampled in it.'),
    last_version: z.int().nullable().describe('Largest version of the weights that sampled in it.'),
    quarantined_count: z.int().describe('Interactions that are not trained.'),
    models: z.array(ModelTokens).describe('Its completed calls by the model that the agent asked for.'),
    mismatch_count: z.int().describe('Requests that differed from a known conversation.'),
    last_finish_reason: z.string().nullable().describe('Why the answer that was completed last ended.'),
    created_at: z.iso.datetime({ offset: true }).describe('When it was started.'),
    last_used_at: z.iso.datetime({ offset: true }).describe('When it was last used.'),
  })
  .meta({ id: 'SessionSummary', description: 'One session.' });
export type SessionSummary = z.output<typeof SessionSummary>;

export const SessionsListResponse = z
  .object({
    sessions: z.array(SessionSummary).describe('By their start.'),
    next_cursor: nextCursor,
  })
  .meta({ id: 'SessionsListResponse', description: 'Sessions.' });
export type SessionsListResponse = z.output<typeof SessionsListResponse>;

export const InteractionSummary = z
  .object({
    interaction_id: z.string().describe('Id of the interaction.'),
    parent_id: z.string().nullable().describe('The interaction that it continues.'),
    reward: z.number().nullable().describe('Its own reward.'),
    prompt_tokens: z.int().describe('Tokens of the prompt.'),
    sampled_tokens: z.int().describe('Tokens of the answer.'),
  })
  .meta({ id: 'InteractionSummary', description: 'One node of the tree.' });
export type InteractionSummary = z.output<typeof InteractionSummary>;

export const SessionDetail = SessionSummary.extend({
  interactions: z.array(InteractionSummary).describe('The tree, in the order of completion.'),
  mismatches: z.record(z.string(), z.unknown()).describe('Where requests differed from known conversations, by kind.'),
}).meta({ id: 'SessionDetail', description: 'One session with its tree.' });
export type SessionDetail = z.output<typeof SessionDetail>;
