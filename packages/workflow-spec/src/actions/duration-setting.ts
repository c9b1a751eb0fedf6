import { readText } from '../read/readers';
import { shape } from '../read/shape';
import { invalid, orReference } from '../read/shapes';
import { numberOf } from '../yaml/yaml-value';

const form = '^(?:\\d+(?:\\.\\d+)?(?:ms|s|m|h|d))+$';
const pattern = new RegExp(form);

/** A time span: seconds as a number, or units one after another such as `1h30m`, or a reference. */
export const duration = orReference(
  shape<number | string>(
    (value) => {
      const seconds = numberOf(value);
      if (seconds !== undefined) {
        return Number.isFinite(seconds) && seconds >= 0 ? seconds : invalid(value, 'must be 0 or more');
      }
      const found = readText(value);
      if (found === undefined || pattern.test(found)) return found;
      return invalid(value, 'must be seconds, or a time such as 30s, 5m or 1h30m');
    },
    {
      anyOf: [
        { type: 'number', minimum: 0 },
        { type: 'string', pattern: form },
      ],
    },
  ),
);
