import { formatSpec } from './format-spec';

it('normalizes indentation, and keeps comments, order and text of commands', () => {
  const text = 'steps:\n    # the first\n    -   id:   a\n        run: |\n          echo  one\n';

  expect(formatSpec(text)).toBe('steps:\n  # the first\n  - id: a\n    run: |\n      echo  one\n');
});

it('does not change text that is not YAML', () => {
  expect(formatSpec('a: [')).toBeUndefined();
});
