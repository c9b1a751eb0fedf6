import { parseFields, readHumanTask } from './human-task-form';

const form = {
  properties: {
    text: { type: 'string' },
    ratio: { type: 'number' },
    count: { type: 'integer' },
    isUrgent: { type: 'boolean' },
  },
};

describe('parseFields', () => {
  it('parses strings as the types of their fields', () => {
    expect(parseFields({ form }, { text: '1', ratio: '1.5e1', count: '-2', isUrgent: 'false' })).toEqual({
      text: '1',
      ratio: 15,
      count: -2,
      isUrgent: false,
    });
  });

  it('leaves what cannot be read to the server', () => {
    const texts = { count: 'many', isUrgent: 'yes', other: '1', constructor: 'x' };
    expect(parseFields({ form }, texts)).toEqual(texts);
    expect(parseFields({ form: {} }, texts)).toEqual(texts);
  });
});

describe('readHumanTask', () => {
  it('finds the task of a step, and none in other steps', () => {
    const config = { prompt: 'Well?', form };
    expect(readHumanTask({ name: 'a', executorConfig: { type: 'human.task', config } })).toEqual(config);
    expect(readHumanTask({ name: 'a', executorConfig: { type: 'http.request' } })).toBeUndefined();
  });
});
