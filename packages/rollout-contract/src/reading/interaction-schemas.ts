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
  })
  .meta({ id: 'TokensResponse', description: 'The tokens of an interaction from the first one of its path.' });
export type TokensResponse = z.output<typeof TokensResponse>;
