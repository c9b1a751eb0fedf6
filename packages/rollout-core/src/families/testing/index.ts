export { answerForms, type AnswerForm, type WrittenAnswer } from './answer-forms';
