export { createIdempotentAnswers, type IdempotentAnswers, type KeptAnswer } from './idempotent-answers';
export { createSeal } from './sealed';
