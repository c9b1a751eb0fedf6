import { z } from 'zod';

const wholeNumber = /^-?\d{1,15}$/;

/** A whole number in a query, where everything arrives as text. Anything but plain digits is refused. */
export function queryInteger(minimum: number, maximum: number) {
  return z
    .preprocess(
      (value) => (typeof value === 'string' && wholeNumber.test(value) ? Number(value) : value),
      z.int().min(minimum).max(maximum),
    )
    .meta({ type: 'integer', minimum, maximum });
}
