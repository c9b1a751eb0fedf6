import { parseFields } from './human-task-form';

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

  it('leaves values that cannot be parsed to the server', () => {
    const texts = { count: 'many', isUrgent: 'yes', other: '1', constructor: 'x' };
    expect(parseFields({ form }, texts)).toEqual(texts);
    expect(parseFields({ form: {} }, texts)).toEqual(texts);
  });
});
