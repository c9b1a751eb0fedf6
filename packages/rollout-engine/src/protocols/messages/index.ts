import type { ModelProtocol, ReadCall } from '../model-protocol';
import { messagesError } from './error-body';
import { createMessagesAnswer } from './from-generation';
import { createMessagesStream } from './stream';
import { readMessagesCall } from './to-generation';

export const messages: ModelProtocol<ReadCall> = {
  name: 'messages',
  read: (body, identity) => readMessagesCall(body, identity),
  createAnswer: createMessagesAnswer,
  createStream: createMessagesStream,
  errorBody: messagesError,
  heartbeat: 'event: ping\ndata: {"type": "ping"}\n\n',
};
