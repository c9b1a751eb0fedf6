import { keySpec } from '../shapes/object-kind';
import { nonEmptyText } from '../shapes/shapes';
import { defineUnavailable } from './define-action';
import { chatKeys, messages } from './settings/chat-settings';
import { exactlyOne } from './settings/key-choice';

export const chatActions = [
  defineUnavailable('chat.completion', {
    description: 'Requests a completion from a language model',
    keys: {
      prompt: keySpec('Prompt', nonEmptyText),
      messages: keySpec('Conversation to which the model replies', messages),
      ...chatKeys,
    },
    choices: [exactlyOne('prompt', 'messages')],
  }),
] as const;
