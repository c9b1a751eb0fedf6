import { readFilledText } from '../read/readers';
import { shape, type Shape } from '../read/shape';
import { invalid } from '../read/shapes';

/** A name on one line, without the spaces around it. */
export function nameOfAtMost(limit: number): Shape<string> {
  return shape(
    (value) => {
      const name = readFilledText(value)?.trim();
      if (name === undefined) return undefined;
      if (name.length > limit) return invalid(value, `must be ${limit} characters or less`);
      return /\p{Cc}/u.test(name) ? invalid(value, 'must not contain line breaks or control characters') : name;
    },
    { type: ['string', 'number', 'boolean'], minLength: 1 },
  );
}
