import { keySpec } from '../read/object-kind';
import { filledText } from '../read/shapes';
import { defineAction, type ActionSpec } from './define-action';
import { chatKeys, messages } from './chat-settings';
import { exactlyOne } from './key-choice';

/** Language models. */
export const chatActions: readonly ActionSpec[] = [
  defineAction('chat.completion', {
    description: 'Asks a language model',
    keys: {
      prompt: keySpec('What is asked', filledText),
      messages: keySpec('A conversation whose next message is wanted', messages),
      ...chatKeys,
    },
    choices: [exactlyOne('prompt', 'messages')],
  }),
];
