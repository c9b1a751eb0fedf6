import { z } from 'zod';

const wholeNumber = /^\d{1,15}$/;
const decimal = /^\d{1,3}(\.\d{1,17})?$/;

/** A whole number in a query, where everything arrives as text. */
export function queryInteger(minimum: number, maximum: number) {
  return z
    .preprocess(
      (value) => (typeof value === 'string' && wholeNumber.test(value) ? Number(value) : value),
      z.int().min(minimum).max(maximum),
    )
    .meta({ type: 'integer', minimum, maximum });
}

/** A share from 0 to 1 in a query. */
export function queryShare() {
  return z
    .preprocess(
      (value) => (typeof value === 'string' && decimal.test(value) ? Number(value) : value),
      z.number().min(0).max(1),
    )
    .meta({ type: 'number', minimum: 0, maximum: 1 });
}

/** Yes or no in a query. */
export const queryFlag = z.enum(['true', 'false']);
