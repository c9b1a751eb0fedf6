import { toAnswerOutputs, type TaskAnswer } from './human-task-answer';

const form = {
  properties: {
    count: { type: 'integer', minimum: 1, default: 2 },
    ratio: { type: 'number' },
    isUrgent: { type: 'boolean' },
    text: { type: 'string', pattern: '^[a-z]+$' },
    region: { type: 'string', oneOf: [{ const: 'eu', title: 'Europe' }, { const: 'us' }] },
  },
  required: ['text'],
};
const read = (answer: TaskAnswer, more: object = {}, maxOutputSize = 1000) =>
  Object.fromEntries(
    toAnswerOutputs({ prompt: '', form: { ...form, ...more } }, answer, { maxOutputSize }).declared.map(
      ({ name, value }) => [name, value],
    ),
  );
const refusal = (answer: TaskAnswer, more: object = {}, maxOutputSize = 1000): unknown => {
  try {
    return read(answer, more, maxOutputSize);
  } catch (error) {
    return (error as { readonly reason?: string }).reason;
  }
};

describe('toAnswerOutputs', () => {
  it('adds defaults', () => {
    expect(read({ values: { text: 'ok', ratio: 15, isUrgent: false } })).toEqual({
      count: 2,
      text: 'ok',
      ratio: 15,
      isUrgent: false,
    });
  });

  it('orders the fields by their names, so that equal answers are equal outputs', () => {
    const { declared } = toAnswerOutputs({ prompt: '', form }, { values: { text: 'a', isUrgent: true } }, {});
    expect(declared.map(({ name }) => name)).toEqual(['count', 'isUrgent', 'text']);
  });

  it.each([
    ['a required field is missing', { values: { count: 1 } }],
    ['a string is no number', { values: { text: 'ok', count: 'many' } }],
    ['a number is no whole one', { values: { text: 'ok', count: 1.5 } }],
    ['a number is too small', { values: { text: 'ok', count: 0 } }],
    ['a string does not match', { values: { text: 'OK' } }],
    ['a choice is none', { values: { text: 'ok', region: 'mars' } }],
    ['a field is not in the form', { values: { text: 'ok', other: 'x' } }],
    ['a field has the name of what every object has', { values: { text: 'ok', constructor: 'x' } }],
  ])('refuses an answer when %s', (_, answer) => {
    expect(refusal(answer)).toBe('human_task_answer_invalid');
  });

  it('accepts other fields when the form allows them, and none without a form', () => {
    expect(read({ values: { text: 'ok', other: 'x' } }, { additionalProperties: true })).toMatchObject({ other: 'x' });
    expect(toAnswerOutputs({ prompt: '', form: {} }, {}, {})).toEqual({ fields: [], declared: [] });
    expect(() => toAnswerOutputs({ prompt: '', form: {} }, { values: { any: 1 } }, {})).toThrow('does not match');
  });

  it('refuses an answer that is larger than outputs may be, before validating it', () => {
    expect(refusal({ values: { text: 'X'.repeat(2000) } })).toBe('payload_too_large');
  });

  it('names the field and the rule, and never the value', () => {
    expect(() => read({ values: { text: 'SECRET' } })).toThrow(/\/text must match/);
    expect(() => read({ values: { text: 'SECRET' } })).not.toThrow(/SECRET/);
  });
});
