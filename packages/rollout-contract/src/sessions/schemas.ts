import { z } from 'zod';
import { ignored } from '../common/ignored';
import { interactionId, sessionId, sessionKey, taskId } from '../common/texts';

export const StartSessionRequest = z
  .looseObject({
    task_id: taskId.default('').describe('What the session is about; the beginning of its id.'),
    api_key: sessionKey
      .nullish()
      .describe('The key that the session is to have: 16 to 256 printable characters. Left out, one is made.'),
  })
  .meta({ id: 'StartSessionRequest', description: 'A new session.' });
export type StartSessionRequest = z.output<typeof StartSessionRequest>;

export const StartSessionResponse = z
  .object({
    session_id: z.string().describe('Id of the session: the task and a number.'),
    session_api_key: z.string().describe('The key of the session, shown this once.'),
    api_key: z.string().describe('The same key, under the name that older clients know.'),
    ignored,
  })
  .meta({ id: 'StartSessionResponse', description: 'The new session.' });
export type StartSessionResponse = z.output<typeof StartSessionResponse>;

export const SetRewardRequest = z
  .looseObject({
    reward: z.number().describe('A finite number.'),
    interaction_id: interactionId.nullish().describe('Left out, the last completed interaction is meant.'),
    session_id: sessionId.nullish().describe('Whose interaction, where the admin key is used.'),
  })
  .meta({ id: 'SetRewardRequest', description: 'A reward of one interaction.' });
export type SetRewardRequest = z.output<typeof SetRewardRequest>;

export const SetRewardResponse = z
  .object({
    message: z.string().describe('`success`.'),
    session_id: z.string().describe('Id of the session.'),
    interaction_id: z.string().describe('The interaction that has the reward now.'),
    reward: z.number().describe('The reward that was set.'),
    revision: z.int().describe('Counts the rewards set in this session, corrections included.'),
    ignored,
  })
  .meta({ id: 'SetRewardResponse', description: 'What was set.' });
export type SetRewardResponse = z.output<typeof SetRewardResponse>;

export const EndSessionRequest = z
  .looseObject({ session_id: sessionId.nullish().describe('Which session, where the admin key is used.') })
  .default({})
  .meta({ id: 'EndSessionRequest', description: 'May be left out.' });

export const EndSessionResponse = z
  .object({
    message: z.string().describe('`success`.'),
    interaction_count: z.int().describe('Completed interactions.'),
  })
  .meta({ id: 'EndSessionResponse', description: 'What the session holds.' });
export type EndSessionResponse = z.output<typeof EndSessionResponse>;

export const SessionState = z
  .enum(['active', 'ending', 'ended', 'exported'])
  .meta({ id: 'SessionState', description: 'How far the session is.' });
export type SessionState = z.output<typeof SessionState>;

export const SessionSummary = z
  .object({
    session_id: z.string().describe('Id of the session.'),
    task_id: z.string().describe('What it is about.'),
    state: SessionState,
    end_reason: z.enum(['client', 'idle']).optional().describe('Who ended it.'),
    interaction_count: z.int().describe('Completed interactions.'),
    turns_under_way: z.int().describe('Model calls that are being answered.'),
    bytes: z.int().describe('What its interactions take.'),
    sampled_tokens: z.int().describe('Tokens that were sampled in it.'),
    reward_revision: z.int().describe('How often a reward was set.'),
    created_at: z.iso.datetime({ offset: true }).describe('When it was started.'),
    last_used_at: z.iso.datetime({ offset: true }).describe('When it was last used.'),
  })
  .meta({ id: 'SessionSummary', description: 'One session.' });
export type SessionSummary = z.output<typeof SessionSummary>;

export const SessionsListResponse = z
  .object({ sessions: z.array(SessionSummary).describe('In the order of their start.') })
  .meta({ id: 'SessionsListResponse', description: 'All sessions that are known.' });

export const InteractionSummary = z
  .object({
    interaction_id: z.string().describe('Id of the interaction.'),
    parent_id: z.string().nullable().describe('The interaction that it went on from.'),
    reward: z.number().nullable().describe('Its own reward.'),
    prompt_tokens: z.int().describe('Tokens of the prompt.'),
    sampled_tokens: z.int().describe('Tokens of the answer.'),
  })
  .meta({ id: 'InteractionSummary', description: 'One node of the tree.' });
export type InteractionSummary = z.output<typeof InteractionSummary>;

export const SessionDetail = SessionSummary.extend({
  interactions: z.array(InteractionSummary).describe('The tree, in the order of completion.'),
  mismatches: z
    .record(z.string(), z.unknown())
    .describe('How conversations differed from those they nearly went on from, by kind.'),
}).meta({ id: 'SessionDetail', description: 'One session with its tree.' });
export type SessionDetail = z.output<typeof SessionDetail>;
