import { defineFamily } from './model-family';

/**
 * Neither calls nor reasoning: the models have no format of their own for calls, they follow whatever the prompt asks for.
 * Source: the chat template of Gemma 3.
 */
export const gemma3 = defineFamily({
  name: 'gemma3',
  models: 'Gemma 2 and 3',
  roleMarks: ['<start_of_turn>'],
  closers: ['<end_of_turn>'],
  endTokens: ['<end_of_turn>'],
});
