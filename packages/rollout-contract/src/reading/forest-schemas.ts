import { z } from 'zod';
import { queryFlag, queryShare } from '../common/query-values';
import { discountRules, exportFormats, exportStyles } from '../trajectories/schemas';

/** How rewards are discounted, as the parameters of a read. */
export const discountQuery = {
  discount: queryShare().default(1).describe("The part of a child's reward that its parent gets."),
  rule: z.enum(discountRules).default('sum').describe('How rewards propagate to a parent; see the export.'),
  drop_retry_orphans: queryFlag.default('false').describe('Whether to omit answers that a retry replaced.'),
};

export const rowsQuery = {
  ...discountQuery,
  style: z.enum(exportStyles).default('individual').describe('A row for each interaction, or for each conversation.'),
  strict: queryFlag.default('false').describe('Whether to refuse a session of which anything is not proven.'),
};

export const previewQuery = {
  ...rowsQuery,
  format: z.enum(exportFormats).optional().describe('Default: by the `Accept` header, otherwise JSON.'),
  include_messages: queryFlag.default('true').describe('Whether the conversations are part of a JSON answer.'),
};

export const ForestNode = z
  .object({
    interaction_id: z.string().describe('Id of the interaction.'),
    parent_id: z.string().nullable().describe('The interaction that it continues.'),
    index: z.int().describe('Position in the session, in order of completion, from 0.'),
    continuity: z.enum(['root', 'continued', 'forked']).describe("How its tokens continue those of its parent's."),
    fork_reason: z.string().nullable().describe('Why it was encoded from text; null where it was not.'),
    reward: z.number().nullable().describe('Its own reward.'),
    discounted_reward: z.number().nullable().describe('With those of what follows it; null where it is omitted.'),
    inherited_tokens: z.int().describe("Tokens of its parent's path with which the prompt begins."),
    prompt_tokens: z.int().describe('Tokens of the prompt.'),
    sampled_tokens: z.int().describe('Tokens of the answer.'),
    mean_logprob: z.number().nullable().describe('Mean log-probability of the answer; null for an empty one.'),
    versions: z.array(z.int()).describe('Versions of the weights that sampled it, in order.'),
    finish_reason: z.string().describe('Why the answer ended.'),
    quarantine: z.string().nullable().describe('Why it is not trained; null where it is.'),
    retry: z
      .enum(['orphan', 'unresolved'])
      .nullable()
      .describe('`orphan`: a retry replaced the answer. `unresolved`: the client may have seen another answer.'),
    protocol: z.string().describe('The protocol of the call.'),
    created_at: z.iso.datetime({ offset: true }).describe('When the call began.'),
    completed_at: z.iso.datetime({ offset: true }).describe('When the answer was complete.'),
    request_role: z.string().describe('Who says the last message of the request.'),
    request_text: z.string().describe('The beginning of that message.'),
    answer_text: z.string().describe('The beginning of the answer.'),
    tool_names: z.array(z.string()).describe('Tools that the answer calls.'),
  })
  .meta({ id: 'ForestNode', description: 'One interaction in the forest of its session.' });
export type ForestNode = z.output<typeof ForestNode>;

export const ForestResponse = z
  .object({
    session_id: z.string().describe('Id of the session.'),
    revision: z.int().describe('How often a reward was set.'),
    nodes: z.array(ForestNode).describe('The interactions in the order of completion; parents come first.'),
    mismatches: z.record(z.string(), z.unknown()).describe('Where requests differed from known conversations.'),
  })
  .meta({ id: 'ForestResponse', description: 'The interactions of a session as trees, with discounted rewards.' });
export type ForestResponse = z.output<typeof ForestResponse>;

export const TrainedSpan = z
  .object({
    interaction_id: z.string().describe('Whose tokens they are.'),
    from: z.int().describe('Position of the first one in the row.'),
    to: z.int().describe('Position after the last one.'),
  })
  .meta({ id: 'TrainedSpan', description: 'Consecutive trained tokens of a row.' });

export const TrainingRow = z
  .object({
    interaction_id: z.string().describe('Id of its last interaction.'),
    reward: z.number().describe('After discounting.'),
    original_reward: z.number().nullable().describe('As it was set; null if there is none.'),
    tokens: z.int().describe('Its tokens.'),
    trained_tokens: z.int().describe('Those of them that this row trains.'),
    spans: z.array(TrainedSpan).describe('Where these are, in order.'),
  })
  .meta({ id: 'TrainingRow', description: 'A row of an export, without its tensors.' });
export type TrainingRow = z.output<typeof TrainingRow>;

export const LeftOut = z
  .object({
    interaction_id: z.string().describe('Id of the interaction.'),
    reason: z.string().describe('Why: a reason of quarantine, or `retry_orphan`.'),
    sampled_tokens: z.int().describe('Its sampled tokens, which no row trains.'),
  })
  .meta({ id: 'LeftOut', description: 'An interaction that an export does not train.' });

export const RowsResponse = z
  .object({
    session_id: z.string().describe('Id of the session.'),
    revision: z.int().describe('How often a reward was set.'),
    rows: z.array(TrainingRow).describe('In the order of the export.'),
    left_out: z.array(LeftOut).describe('What no row trains, and why.'),
    report: z.record(z.string(), z.unknown()).describe('The report that the export would have.'),
  })
  .meta({ id: 'RowsResponse', description: 'The rows that an export would hold.' });
export type RowsResponse = z.output<typeof RowsResponse>;
