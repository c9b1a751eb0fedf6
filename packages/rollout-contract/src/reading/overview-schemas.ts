import { z } from 'zod';
import { nextCursor } from '../common/paging';
import { ModelTokens, SessionSummary } from '../sessions/schemas';

export const ModelUsage = z
  .object({
    ...ModelTokens.shape,
    sessions: z.int().describe('Sessions with such calls.'),
    rewarded: z.int().describe('Those of them with a reward.'),
    reward_mean: z.number().nullable().describe('Mean reward of these; null without any.'),
    cost: z.number().nullable().describe('By `ROLLOUT_PRICES`, in their currency; null where the model has no price.'),
  })
  .meta({ id: 'ModelUsage', description: 'What one model has read and sampled, in the stored sessions.' });
export type ModelUsage = z.output<typeof ModelUsage>;

const models = z
  .array(ModelUsage)
  .describe('By the model that agents asked for, that with the most sampled tokens first; at most 100.');

export const TaskSummary = z
  .object({
    task_id: z.string().describe('The task.'),
    sessions: z.int().describe('Its sessions.'),
    unfinished: z.int().describe('Those that have not ended.'),
    rewarded: z.int().describe('Those with a reward.'),
    reward_mean: z.number().nullable().describe('Mean reward of these; null without any.'),
    reward_min: z.number().nullable().describe('Their smallest reward.'),
    reward_max: z.number().nullable().describe('Their largest reward.'),
    sampled_tokens: z.int().describe('Tokens sampled in all of them.'),
    quarantined_count: z.int().describe('Interactions that are not trained.'),
    last_used_at: z.iso.datetime({ offset: true }).describe('When one of them was last used.'),
    models,
  })
  .meta({ id: 'TaskSummary', description: 'The sessions of one task together.' });
export type TaskSummary = z.output<typeof TaskSummary>;

export const TasksResponse = z
  .object({
    tasks: z.array(TaskSummary).describe('The one with the latest session first.'),
    next_cursor: nextCursor,
  })
  .meta({ id: 'TasksResponse', description: 'Tasks with their sessions together.' });
export type TasksResponse = z.output<typeof TasksResponse>;

export const SearchMatch = z
  .object({
    session_id: z.string().describe('Id of the session.'),
    task_id: z.string().describe('Its task.'),
    interaction_id: z.string().describe('Id of the interaction that added the text.'),
    role: z.string().describe('Who says it.'),
    part: z
      .enum(['id', 'content', 'reasoning', 'tool_name', 'tool_arguments'])
      .describe('The part of the message; `id` for that of the interaction or session.'),
    before: z.string().describe('Text before the match.'),
    match: z.string().describe('The match as it is written.'),
    after: z.string().describe('Text after the match.'),
    position: z
      .string()
      .describe('Of the interaction among all that are searched; as a cursor, a search begins there.'),
  })
  .meta({ id: 'SearchMatch', description: 'A place where the text was found.' });
export type SearchMatch = z.output<typeof SearchMatch>;

export const SearchResponse = z
  .object({
    matches: z.array(SearchMatch).describe('The latest sessions first; one match for each part of a message.'),
    next_cursor: z.string().nullable().describe('Where the search goes on; null where everything was searched.'),
    searched_interactions: z.int().describe('Interactions that this call has searched.'),
  })
  .meta({ id: 'SearchResponse', description: 'Places where a text was found.' });
export type SearchResponse = z.output<typeof SearchResponse>;

export const VersionTokens = z
  .object({
    version: z.int().describe('Version of the weights; -1 where it is unknown.'),
    tokens: z.int().describe('Tokens of stored sessions without an adapter that it sampled.'),
  })
  .meta({ id: 'VersionTokens', description: 'What one version of the weights has sampled.' });

export const ServiceStatus = z
  .object({
    model: z.string().describe('Name of the model.'),
    not_ready: z.string().nullable().describe('Why model calls are rejected; null when they are accepted.'),
    started_at: z.iso.datetime({ offset: true }).describe('When the service was started.'),
    version: z.int().describe('Version of the weights.'),
    pending_version: z.int().nullable().describe('Of an update that has not succeeded; null without one.'),
    paused: z.boolean().describe('Whether generation is paused.'),
    running_generations: z.int().describe('Generations that run at the engine.'),
    capacity: z.int().describe('Maximum of unused grants and unfinished sessions together.'),
    unused_grants: z.int().describe('Grants without a session.'),
    unfinished_sessions: z.int().describe('Sessions that have not ended.'),
    sessions: z.int().describe('Stored sessions.'),
    max_sessions: z.int().describe('Maximum number of them.'),
    bytes: z.int().describe('Their size in memory.'),
    max_bytes: z.int().describe('Maximum of it.'),
    sampled_tokens: z.int().describe('Their sampled tokens.'),
    tokens_last_minute: z.int().describe('Those of calls that were completed within the last minute.'),
    replicas: z
      .array(z.object({ number: z.int().describe('Of its lease.'), address: z.string().describe('Where it listens.') }))
      .describe('The processes of the proxy that share its sessions; empty where there is one.'),
    versions: z.array(VersionTokens).describe('Which versions sampled those without an adapter, the latest first.'),
    models,
  })
  .meta({ id: 'ServiceStatus', description: 'Weights, capacity and load.' });
export type ServiceStatus = z.output<typeof ServiceStatus>;

/** The data of the event `changes`. */
export const SessionChanges = z
  .object({
    sessions: z.array(SessionSummary).describe('Sessions that are new or have changed.'),
    removed: z.array(z.string()).describe('Ids of sessions that were removed.'),
  })
  .meta({ id: 'SessionChanges', description: 'What has changed since the event before.' });
export type SessionChanges = z.output<typeof SessionChanges>;

export const SignInRequest = z
  .strictObject({ key: z.string().min(1).max(512).describe('The admin key or the read-only key.') })
  .meta({ id: 'SignInRequest', description: 'The key of a person who opens the viewer.' });

export const BrowserSession = z
  .object({ signed_in: z.boolean().describe('Whether the cookie of the request is that of a session.') })
  .meta({ id: 'BrowserSession', description: 'Whether this browser may read.' });
