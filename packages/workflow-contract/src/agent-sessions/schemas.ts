import { z } from 'zod';
import { Pagination } from '../common/paging';

const timestamp = z.iso.datetime({ offset: true });

/** Characters of what a person writes at once. */
export const maxAgentMessage = 100_000;

const AgentDagContext = z
  .object({
    dagFile: z.string().min(1).max(255).describe('File name of a DAG.'),
    dagRunId: z.string().max(64).optional().describe('Id of a run of it.'),
  })
  .meta({ id: 'AgentDAGContext', description: 'A DAG that a message is about.' });

const chat = {
  message: z.string().trim().min(1).max(maxAgentMessage).describe('What the person writes.'),
  model: z.string().max(128).optional().describe('Id of a model. Default: that of the session, else the default one.'),
  dagContexts: z.array(AgentDagContext).max(20).optional().describe('What the message is about.'),
  safeMode: z.boolean().optional().describe('Accepted and without effect: a person is always asked before a change.'),
  soulId: z.string().max(128).optional().describe('Id of a soul. Default: the selected one.'),
};

export const AgentChatRequest = z
  .object({
    ...chat,
    sessionId: z.string().max(64).optional().describe('Ignored where the session exists.'),
  })
  .meta({ id: 'AgentChatRequest', description: 'A message of a person.' });
export type AgentChatRequest = z.output<typeof AgentChatRequest>;

export const CreateAgentSessionRequest = z
  .object({
    ...chat,
    sessionId: z.uuid().toLowerCase().optional().describe('Id of the new session; creating it twice is harmless.'),
  })
  .meta({ id: 'CreateAgentSessionRequest', description: 'The first message of a session.' });
export type CreateAgentSessionRequest = z.output<typeof CreateAgentSessionRequest>;

export const CreateAgentSessionResponse = z
  .object({
    sessionId: z.string().describe('UUID.'),
    status: z
      .string()
      .describe('"accepted", or "already_exists" for a session of this id, to which nothing was added.'),
  })
  .meta({ id: 'CreateAgentSessionResponse', description: 'The new session.' });

export const AgentStatusResponse = z
  .object({ status: z.string().describe('"accepted" or "cancelled".') })
  .meta({ id: 'AgentStatusResponse', description: 'What has become of the request.' });

export const AgentUserPromptResponse = z
  .object({
    promptId: z.string().min(1).max(64).describe('Id of the prompt.'),
    selectedOptionIds: z.array(z.string().max(64)).max(100).optional().describe('The options that were chosen.'),
    freeTextResponse: z
      .string()
      .max(maxAgentMessage)
      .optional()
      .describe('What the person writes instead, or besides.'),
    cancelled: z.boolean().optional().describe('Whether the person gives no answer. Refuses an approval.'),
  })
  .meta({ id: 'AgentUserPromptResponse', description: 'The answer to a prompt.' });
export type AgentUserPromptResponse = z.output<typeof AgentUserPromptResponse>;

const AgentToolCall = z
  .object({
    id: z.string().describe('Id of the call, given by the model.'),
    type: z.string().describe('"function".'),
    function: z
      .object({
        name: z.string().describe('Name of the tool.'),
        arguments: z.string().describe('JSON, as the model wrote it.'),
      })
      .meta({ id: 'AgentToolCallFunction', description: 'A tool with its input.' }),
  })
  .meta({ id: 'AgentToolCall', description: 'A tool that the model wants to be called.' });

const AgentToolResult = z
  .object({
    toolCallId: z.string().describe('Id of the call.'),
    content: z.string().describe('What the model is told.'),
    isError: z.boolean().optional().describe('Whether the call was refused or has failed.'),
  })
  .meta({ id: 'AgentToolResult', description: 'What a call of a tool gave.' });

const AgentTokenUsage = z
  .object({
    promptTokens: z.int().min(0).optional().describe('Tokens that were sent.'),
    completionTokens: z.int().min(0).optional().describe('Tokens that the model wrote.'),
    totalTokens: z.int().min(0).optional().describe('Their sum.'),
  })
  .meta({ id: 'AgentTokenUsage', description: 'Tokens of a reply.' });

export const AgentUserPrompt = z
  .object({
    promptId: z.string().describe('Id of the prompt.'),
    question: z.string().describe('What the person is asked.'),
    options: z
      .array(
        z
          .object({
            id: z.string().describe('Id of the option.'),
            label: z.string().describe('Its text.'),
            description: z.string().optional().describe('What it means.'),
          })
          .meta({ id: 'AgentUserPromptOption', description: 'A possible answer.' }),
      )
      .optional()
      .describe('Possible answers.'),
    allowFreeText: z.boolean().describe('Whether the person may write an answer.'),
    freeTextPlaceholder: z.string().optional().describe('A hint for that.'),
    multiSelect: z.boolean().describe('Whether several options may be chosen.'),
    promptType: z
      .enum(['general', 'command_approval'])
      .optional()
      .describe('A question of the model, or of the server whether a change may be made.'),
    command: z.string().optional().describe('The call that is to be approved: the tool, and its input as JSON.'),
    workingDir: z.string().optional().describe('Never present: no programs are started.'),
  })
  .meta({ id: 'AgentUserPrompt', description: 'A question to the person.' });
export type AgentUserPrompt = z.output<typeof AgentUserPrompt>;

export const AgentMessage = z
  .object({
    id: z.string().describe('UUID.'),
    sessionId: z.string().describe('Id of the session.'),
    type: z.enum(['user', 'assistant', 'error', 'ui_action', 'user_prompt']).describe('Who or what says it.'),
    sequenceId: z.int().describe('Number of the message in its session, from 1 without gaps.'),
    content: z.string().optional().describe('Its text.'),
    toolCalls: z.array(AgentToolCall).optional().describe('Of the assistant: the calls that it wants.'),
    toolResults: z.array(AgentToolResult).optional().describe('Of the type "user": what calls gave.'),
    usage: AgentTokenUsage.optional(),
    cost: z.number().optional().describe('Of the assistant, in US dollars, where the prices of the model are known.'),
    createdAt: timestamp.describe('When it was stored.'),
    uiAction: z
      .object({ type: z.string().describe('Kind.'), path: z.string().optional().describe('Address.') })
      .meta({ id: 'AgentUIAction', description: 'What an interface should do.' })
      .optional()
      .describe('Never present.'),
    userPrompt: AgentUserPrompt.optional(),
    delegateIds: z.array(z.string()).optional().describe('Never present.'),
  })
  .meta({ id: 'AgentMessage', description: 'A message of a session.' });
export type AgentMessage = z.output<typeof AgentMessage>;

export const AgentSession = z
  .object({
    id: z.string().describe('UUID.'),
    userId: z.string().optional().describe('Id of the person; absent where nobody signs in.'),
    dagName: z.string().optional().describe('The DAG that its first message is about.'),
    title: z.string().optional().describe('The beginning of its first message.'),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When its newest message was stored.'),
    parentSessionId: z.string().optional().describe('Never present.'),
    delegateTask: z.string().optional().describe('Never present.'),
  })
  .meta({ id: 'AgentSession', description: 'A conversation of a person with the agent.' });

export const AgentSessionState = z
  .object({
    sessionId: z.string().describe('Id of the session.'),
    working: z.boolean().describe('Whether a server answers right now.'),
    hasPendingPrompt: z.boolean().optional().describe('Whether it waits for the person.'),
    model: z.string().optional().describe('Id of the model.'),
    totalCost: z.number().min(0).describe('In US dollars.'),
  })
  .meta({ id: 'AgentSessionState', description: 'What a session does.' });

const AgentSessionWithState = AgentSessionState.extend({
  session: AgentSession,
}).meta({ id: 'AgentSessionWithState', description: 'A session and what it does.' });

export const ListAgentSessionsResponse = z
  .object({
    sessions: z.array(AgentSessionWithState).describe('Those of the caller, newest change first.'),
    pagination: Pagination,
  })
  .meta({ id: 'ListAgentSessionsResponse', description: 'A page of sessions.' });

export const AgentSessionDetailResponse = z
  .object({
    messages: z.array(AgentMessage).describe('In order.'),
    session: AgentSession,
    sessionState: AgentSessionState,
    partialContent: z.string().optional().describe('What the model has written of a reply that is not complete.'),
    delegates: z
      .array(
        z
          .object({
            id: z.string().describe('Id.'),
            task: z.string().describe('Task.'),
            status: z.enum(['running', 'completed']).describe('State.'),
            cost: z.number().optional().describe('In US dollars.'),
          })
          .meta({ id: 'AgentDelegateSnapshot', description: 'A session that works for another one.' }),
      )
      .optional()
      .describe('Never present.'),
  })
  .meta({ id: 'AgentSessionDetailResponse', description: 'A session with its messages.' });
export type AgentSessionDetailResponse = z.output<typeof AgentSessionDetailResponse>;
