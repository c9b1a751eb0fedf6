import { moveCell } from './move-cell';

const size = { rows: 4, columns: 3 };

it.each([
  ['ArrowDown', { row: 2, column: 1 }],
  ['ArrowUp', { row: 0, column: 1 }],
  ['ArrowLeft', { row: 1, column: 0 }],
  ['ArrowRight', { row: 1, column: 2 }],
  ['PageDown', { row: 3, column: 1 }],
  ['PageUp', { row: 0, column: 1 }],
  ['Home', { row: 1, column: 0 }],
  ['End', { row: 1, column: 2 }],
])('moves by %s', (key, target) => {
  expect(moveCell({ row: 1, column: 1 }, key, size)).toEqual(target);
});

it('stays within the grid', () => {
  expect(moveCell({ row: 0, column: 0 }, 'ArrowUp', size)).toEqual({ row: 0, column: 0 });
  expect(moveCell({ row: 3, column: 2 }, 'ArrowRight', size)).toEqual({ row: 3, column: 2 });
});

it('ignores other keys', () => {
  expect(moveCell({ row: 0, column: 0 }, 'a', size)).toBeUndefined();
});
