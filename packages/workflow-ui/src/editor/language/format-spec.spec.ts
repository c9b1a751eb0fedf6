import { formatSpec } from './format-spec';

it('evens indentation, and keeps comments, order and text of commands', () => {
  const text = 'steps:\n    # the first\n    -   id:   a\n        run: |\n          echo  one\n';

  expect(formatSpec(text)).toBe('steps:\n  # the first\n  - id: a\n    run: |\n      echo  one\n');
});

it('leaves what is not YAML alone', () => {
  expect(formatSpec('a: [')).toBeUndefined();
});
