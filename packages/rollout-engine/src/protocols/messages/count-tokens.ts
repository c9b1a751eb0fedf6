import type { CountOperation } from '../count-operation';
import { readCount } from './to-generation';

export const messagesCount: CountOperation = {
  name: 'messages/count_tokens',
  path: '/messages/count_tokens',
  read: readCount,
  answer: (tokens) => ({ input_tokens: tokens }),
};
