export { createIdempotentAnswers, type IdempotentAnswers, type StoredAnswer } from './idempotent-answers';
export { createSeal } from './seal';
