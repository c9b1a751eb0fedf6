import { openAiError } from '../chat-completions/error-body';
import type { ModelProtocol } from '../model-protocol';
import { createTextAnswer, createTextStream } from './from-generation';
import { readTextCall, type TextCall } from './to-generation';

/** The older protocol of OpenAI, whose prompt is a text or token ids: agents that keep the tokens themselves use it. */
export const completions: ModelProtocol<TextCall> = {
  name: 'completions',
  read: (body, identity) => readTextCall(body, identity),
  createAnswer: createTextAnswer,
  createStream: createTextStream,
  errorBody: (error) => ({ error: openAiError(error) }),
  heartbeat: ': keep-alive\n\n',
};
