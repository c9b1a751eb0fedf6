export {
  createIdempotentAnswers,
  toAnswerStore,
  type AnswerStore,
  type IdempotentAnswers,
  type StoredAnswer,
} from './idempotent-answers';
export { createSeal } from './seal';
