import { stepPlace } from './step-place';

it('finds steps of a list and of a map', () => {
  expect(stepPlace('steps:\n  - id: a\n  - name: b\n', 'b')).toMatchObject({ line: 3, column: 5 });
  expect(stepPlace('steps:\n  a:\n    run: x\n  b:\n    run: y\n', 'b')).toMatchObject({ line: 4, column: 3 });
  expect(stepPlace('steps: []', 'b')).toBeUndefined();
});
