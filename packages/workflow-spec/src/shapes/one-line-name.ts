import { readNonEmptyText } from './readers';
import { shape, type Shape } from './shape';
import { reportInvalid } from './shapes';

/** The name is trimmed, and must be on one line. */
export function oneLineName(limit: number): Shape<string> {
  return shape(
    (value) => {
      const name = readNonEmptyText(value)?.trim();
      if (name === undefined) return undefined;
      if (name.length > limit) return reportInvalid(value, `must be ${limit} characters or less`);
      return /\p{Cc}/u.test(name) ? reportInvalid(value, 'must not contain line breaks or control characters') : name;
    },
    { type: ['string', 'number', 'boolean'], minLength: 1 },
  );
}
