import { AppError } from '@weir/foundation';
import type { TopicError } from '@weir/workflow-contract/schemas';

const codes: Readonly<Record<string, TopicError['code']>> = {
  unsupported_topic: 'unsupported_topic',
  too_many_topics: 'too_many_topics',
};

/** Explains why a topic was not subscribed, or can no longer be read. */
export function toTopicError(topic: string, error: unknown): TopicError {
  if (!(error instanceof AppError)) return { topic, code: 'unavailable', message: 'The topic could not be read.' };
  const { code, message, reason = '' } = error;
  if (code === 'not_found') return { topic, code: 'not_found', message };
  if (code === 'forbidden') return { topic, code: 'unauthorized', message };
  if (code === 'invalid_request') return { topic, code: codes[reason] ?? 'invalid_topic', message };
  return { topic, code: 'unavailable', message };
}

export function tooManyTopics(limit: number): AppError {
  return new AppError('invalid_request', `A stream has at most ${limit} topics.`, { reason: 'too_many_topics' });
}
