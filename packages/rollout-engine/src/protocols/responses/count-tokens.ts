import type { CountOperation } from '../count-operation';
import { readCount } from './to-generation';

export const responsesCount: CountOperation = {
  name: 'responses/input_tokens',
  path: '/responses/input_tokens',
  read: readCount,
  answer: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
};
