import type { ModelProtocol } from '../model-protocol';
import { openAiError } from './error-body';
import { createChatAnswer } from './from-generation';
import { createChatStream } from './stream';
import { readChatCall, type ChatCall } from './to-generation';

export { toChatMessage } from './chat-message';
export { toChatCompletion } from './from-generation';

export const chatCompletions: ModelProtocol<ChatCall> = {
  name: 'chat-completions',
  read: (body, identity) => readChatCall(body, identity),
  createAnswer: createChatAnswer,
  createStream: createChatStream,
  errorBody: (error) => ({ error: openAiError(error) }),
  heartbeat: ': keep-alive\n\n',
};
