import { openAiError } from '../chat-completions/error-body';
import type { ModelProtocol } from '../model-protocol';
import { createResponsesAnswer } from './from-generation';
import { createResponsesStream } from './stream';
import { readResponsesCall, type ResponsesCall } from './to-generation';

export const responses: ModelProtocol<ResponsesCall> = {
  name: 'responses',
  read: readResponsesCall,
  createAnswer: createResponsesAnswer,
  createStream: createResponsesStream,
  errorBody: (error) => ({ error: openAiError(error) }),
  heartbeat: ': keep-alive\n\n',
};
