import type { ModelProtocol } from '../model-protocol';
import { generateContentError } from './error-body';
import { createGenerateContentAnswer } from './from-generation';
import { createGenerateContentStream } from './stream';
import { readGenerateContentCall, type GenerateContentCall } from './to-generation';

export const generateContent = createGenerateContent(false);
export const streamGenerateContent = createGenerateContent(true);

/** The address of a call says whether it is streamed. */
function createGenerateContent(isStreaming: boolean): ModelProtocol<GenerateContentCall> {
  return {
    name: 'generate-content',
    read: (body, identity, _conversations, address = {}) =>
      readGenerateContentCall(body, identity, { address, isStreaming }),
    createAnswer: createGenerateContentAnswer,
    createStream: createGenerateContentStream,
    errorBody: generateContentError,
    // The SDK for Python takes a comment for a broken chunk; nobody takes an empty line for anything.
    heartbeat: '\n\n',
  };
}
