import { tensorFailure } from './tensor-errors';

/** Sizes of the axes, outermost first. `[]` is a scalar with one element. */
export type Shape = readonly number[];

/** The most axes a tensor may have. */
export const maxRank = 8;

/**
 * The number of elements of a shape. Fails with `tensor_shape_invalid` for anything but a list of at most {@link
 * maxRank} whole numbers from 0 whose product is a safe integer.
 */
export function elementCount(shape: unknown): number {
  return checkShape(shape).reduce((product, size) => product * size, 1);
}

export function checkShape(shape: unknown): Shape {
  if (!Array.isArray(shape) || shape.length > maxRank) {
    throw tensorFailure('tensor_shape_invalid', `The shape is not a list of at most ${maxRank} sizes.`);
  }
  let product = 1;
  // The loop uses an index, so that a list with holes is refused.
  for (let axis = 0; axis < shape.length; axis += 1) {
    const size: unknown = shape[axis];
    if (!isSize(size)) {
      throw tensorFailure('tensor_shape_invalid', 'The shape has a size that is not a whole number from 0.', { axis });
    }
    product *= size;
    if (!Number.isSafeInteger(product)) {
      throw tensorFailure('tensor_shape_invalid', 'The shape has too many elements.');
    }
  }
  return shape as Shape;
}

export const sameShape = (left: Shape, right: Shape): boolean =>
  left.length === right.length && left.every((size, axis) => size === right[axis]);

const isSize = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && !Object.is(value, -0);
