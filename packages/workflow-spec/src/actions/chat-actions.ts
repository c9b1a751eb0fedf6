import { keySpec } from '../shapes/object-kind';
import { nonEmptyText } from '../shapes/shapes';
import { defineUnavailable } from './define-action';
import { chatKeys, messages } from './settings/chat-settings';
import { exactlyOne } from './settings/key-choice';

export const chatActions = [
  defineUnavailable('chat.completion', {
    description: 'Asks a language model',
    keys: {
      prompt: keySpec('What is asked', nonEmptyText),
      messages: keySpec('A conversation whose next message is wanted', messages),
      ...chatKeys,
    },
    choices: [exactlyOne('prompt', 'messages')],
  }),
] as const;
