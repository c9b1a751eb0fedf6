import type { CountOperation } from '../count-operation';
import { readCount } from './to-generation';

export const generateContentCount: CountOperation = {
  name: 'generate-content/count-tokens',
  path: String.raw`/models/*model\:countTokens`,
  read: readCount,
  answer: (tokens) => ({ totalTokens: tokens }),
};
