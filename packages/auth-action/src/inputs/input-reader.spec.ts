import { createInputReader } from './input-reader';
import { parseBoolean } from './switches';

describe('createInputReader', () => {
  it.each([
    ['which action.yml does not declare', {}, 'action.yml declares no input a.'],
    ['whose default is invalid', { a: 'yes' }, 'The default of a in action.yml is "yes". Use true or false.'],
  ])('throws for an input %s', (_case, inputDefaults, message) => {
    const reader = createInputReader({ input: () => undefined, inputDefaults });

    expect(() => reader.read('a', parseBoolean)).toThrow(message);
  });
});
