import { z } from 'zod';
import { NodeStatus, NodeStatusLabel } from './schemas';

export const UpdateStepStatusRequest = z
  .object({ status: NodeStatus })
  .meta({ id: 'UpdateStepStatusRequest', description: 'The end that the step is to have.' });

const tokens = z.int().min(0).optional();

const ChatMessage = z
  .object({
    role: z.enum(['system', 'user', 'assistant', 'tool']).describe('Who says it.'),
    content: z.string().describe('What is said.'),
    toolCalls: z
      .array(
        z
          .object({
            id: z.string().describe('Id of the call.'),
            name: z.string().describe('Name of the tool.'),
            arguments: z.string().optional().describe('Arguments as JSON.'),
          })
          .meta({ id: 'ChatToolCall', description: 'A call of a tool.' }),
      )
      .optional()
      .describe('Tools that the model calls.'),
    metadata: z
      .object({
        provider: z.string().optional().describe('Provider of the model.'),
        model: z.string().optional().describe('The model.'),
        promptTokens: tokens.describe('Tokens of the prompt.'),
        completionTokens: tokens.describe('Tokens of the completion.'),
        totalTokens: tokens.describe('Both.'),
      })
      .optional()
      .meta({ id: 'ChatMessageMetadata', description: 'Where a message comes from.' }),
  })
  .meta({ id: 'ChatMessage', description: 'A message of a conversation.' });

const ToolDefinition = z
  .object({
    name: z.string().describe('Name of the tool.'),
    description: z.string().optional().describe('What it does.'),
    parameters: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of its arguments.'),
  })
  .meta({ id: 'ToolDefinition', description: 'A tool of a conversation.' });

export const ChatMessagesResponse = z
  .object({
    messages: z.array(ChatMessage).describe('In their order.'),
    toolDefinitions: z.array(ToolDefinition).optional().describe('The tools of the conversation.'),
    stepStatus: NodeStatus,
    stepStatusLabel: NodeStatusLabel,
    hasMore: z.boolean().describe('Whether the step is still running.'),
  })
  .meta({ id: 'ChatMessagesResponse', description: 'The messages of a step.' });
