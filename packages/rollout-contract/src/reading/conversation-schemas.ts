import { z } from 'zod';

export const ConversationToolCall = z
  .object({
    id: z.string().describe('Links the result to the call.'),
    name: z.string().describe('The tool.'),
    arguments: z.string().describe('JSON text as the model wrote it.'),
  })
  .meta({ id: 'ConversationToolCall', description: 'A call of a tool.' });

export const ConversationMessage = z
  .object({
    role: z.enum(['system', 'user', 'assistant', 'tool']).describe('Who says it.'),
    content: z.string().describe('The text.'),
    reasoning: z.string().optional().describe("The model's reasoning before its answer."),
    tool_calls: z.array(ConversationToolCall).optional().describe('Calls of tools.'),
    tool_call_id: z.string().optional().describe('Of a result: its call.'),
    name: z.string().optional().describe('Name of the speaker or of the tool.'),
  })
  .meta({ id: 'ConversationMessage', description: 'A message, whatever the protocol of the call.' });
export type ConversationMessage = z.output<typeof ConversationMessage>;
