import { z } from 'zod';
import { ConversationMessage } from './conversation-schemas';
import { ForestNode } from './forest-schemas';

export const InteractionDetail = z
  .object({
    session_id: z.string().describe('Id of the session.'),
    task_id: z.string().describe('Its task.'),
    node: ForestNode,
    model: z.string().describe('The model as the client named it.'),
    seed: z.number().nullable().describe('Of the request; null without one.'),
    messages: z.array(ConversationMessage).describe('The conversation before the answer.'),
    new_messages: z.int().describe('How many of them, at the end, its parent does not have.'),
    output: ConversationMessage,
    usage: z.record(z.string(), z.int()).describe('Token counts as they were reported.'),
    tools: z.array(z.record(z.string(), z.unknown())).describe('Definitions of the tools of the request.'),
    template_arguments: z.record(z.string(), z.unknown()).describe('Further variables of the chat template.'),
    provenance: z.record(z.string(), z.unknown()).nullable().describe('What made the tokens; null if not recorded.'),
  })
  .meta({ id: 'InteractionDetail', description: 'One interaction with its conversation.' });
export type InteractionDetail = z.output<typeof InteractionDetail>;

export const PathSegment = z
  .object({
    interaction_id: z.string().describe('Whose tokens they are.'),
    from: z.int().describe('Position of the first one in the path.'),
    sampled_from: z.int().describe('Position of the first sampled one; `to` where there is none.'),
    to: z.int().describe('Position after the last one.'),
  })
  .meta({ id: 'PathSegment', description: 'Consecutive tokens of a path that one interaction added.' });
export type PathSegment = z.output<typeof PathSegment>;

const wholeNumbers = z.array(z.int());
const numbers = z.array(z.number().nullable());

export const TokensResponse = z
  .object({
    session_id: z.string().describe('Id of the session.'),
    interaction_id: z.string().describe('The interaction at the end of the path.'),
    segments: z.array(PathSegment).describe('The parts of the path, in order.'),
    ids: wholeNumbers.describe('Token ids of the whole path: prompt and answer.'),
    logprobs: z.array(z.number().nullable()).describe('Log-probabilities; null for what was not sampled.'),
    versions: wholeNumbers.describe('Version of the weights; -1 for what was not sampled.'),
    loss_mask: wholeNumbers.describe('1 where the row of this interaction trains the token.'),
    sources: wholeNumbers.describe(
      '0: rendered by the template. 1: sampled by this call. 2: sampled by an earlier one.',
    ),
    turns: wholeNumbers.describe('Position of the interaction that added the token, in the path, from 0.'),
    control: wholeNumbers.describe('1 for control tokens, whose text is their name.'),
    byte_offsets: wholeNumbers.describe('Where the bytes of each token begin, and where the last ones end.'),
    bytes: z.string().describe('The bytes of all tokens, in base64.'),
    text: z.string().describe('The same as text; bytes that are not UTF-8 are replaced.'),
    alternatives: z
      .int()
      .describe('How many of the likeliest tokens are recorded at a position, by any model; 0 where there are none.'),
    entropies: numbers
      .optional()
      .describe(
        'Entropy of the likeliest tokens in nats, all others together as one; null where none are recorded. Absent without any.',
      ),
    prompt_logprobs: numbers
      .optional()
      .describe('Log-probabilities of tokens of prompts; null where they were not recorded. Absent without any.'),
    mask_sizes: z
      .array(z.int().nullable())
      .optional()
      .describe(
        'How many tokens the cut-offs left to sample from; 0 where nothing was cut off, null where it was not recorded. Absent without any.',
      ),
    loss_weights: numbers
      .optional()
      .describe('How much sampled tokens count in the loss; null for others. Absent where all weights are 1.'),
    scores: z
      .record(z.string(), numbers)
      .optional()
      .describe('Log-probabilities by other models; null where a model did not score the token. Absent without any.'),
  })
  .meta({ id: 'TokensResponse', description: 'The tokens of an interaction from the first one of its path.' });
export type TokensResponse = z.output<typeof TokensResponse>;

export const TokenLogprob = z
  .object({
    id: z.int().describe('Id of the token.'),
    logprob: z.number().describe('Natural logarithm of its probability; -9999 where it is excluded.'),
  })
  .meta({ id: 'TokenLogprob', description: 'One of the likeliest tokens at a position.' });

const likeliest = z.array(TokenLogprob).describe('The likeliest tokens, likeliest first.');
const rank = z
  .int()
  .nullable()
  .describe('Place of the token of the path among all that are recorded, from 1; null where it is not among them.');

export const TokenAlternatives = z
  .object({
    at: z.int().describe('Position in the path.'),
    rank,
    likeliest,
    scores: z
      .array(z.object({ scorer: z.string().describe('Name of the model.'), rank, likeliest }))
      .describe('The same by other models that scored the token with their likeliest ones.'),
  })
  .meta({ id: 'TokenAlternatives', description: 'What could have been sampled at a position.' });
export type TokenAlternatives = z.output<typeof TokenAlternatives>;

export const AlternativesResponse = z
  .object({
    session_id: z.string().describe('Id of the session.'),
    interaction_id: z.string().describe('The interaction at the end of the path.'),
    from: z.int().describe('The first position that was looked at.'),
    to: z.int().describe('The position after the last one; at most the length of the path.'),
    positions: z.array(TokenAlternatives).describe('Positions between them for which any are recorded, in order.'),
    tokens: z
      .array(
        z.object({
          id: z.int().describe('Id of the token.'),
          bytes: z.string().describe('Its bytes, in base64.'),
          control: z.boolean().describe('Whether it is a control token, whose text is its name.'),
        }),
      )
      .describe('Each token of these lists once.'),
  })
  .meta({ id: 'AlternativesResponse', description: 'The likeliest tokens at some positions of a path.' });
export type AlternativesResponse = z.output<typeof AlternativesResponse>;
