import { defineFamily } from './model-family';

export const glm = defineFamily({
  name: 'glm',
  models: 'GLM 4.5 and later',
  roleMarks: ['<|assistant|>', '<|observation|>'],
  closers: ['<|user|>', '<|observation|>'],
  closerOpensNextMessage: true,
});
