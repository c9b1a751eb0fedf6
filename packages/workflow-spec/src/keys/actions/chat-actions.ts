import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { chatKeys, messages, oneEffort } from './settings/chat-settings';
import { exactlyOne } from '../../shapes/settings/key-choice';

export const chatActions = [
  defineAction('chat.completion', {
    description: 'Requests a completion from a language model',
    execution: 'in-process',
    // A repeated request costs another answer, but changes nothing else.
    restart: true,
    dagDefaults: 'llm',
    keys: {
      prompt: keySpec('Prompt', nonEmptyText),
      messages: keySpec('Conversation to which the model replies', messages),
      ...chatKeys,
    },
    choices: [exactlyOne('prompt', 'messages'), oneEffort],
  }),
] as const;
