import { readText } from '../readers';
import { shape } from '../shape';
import { reportInvalid, orReference } from '../shapes';
import { getNumber } from '../../source/yaml/yaml-value';

const form = '^(?:\\d+(?:\\.\\d+)?(?:ms|s|m|h|d))+$';
const pattern = new RegExp(form);

/** A time span: seconds as a number, or units one after another such as `1h30m`, or a reference. */
export const duration = orReference(
  shape<number | string>(
    (value) => {
      const seconds = getNumber(value);
      if (seconds !== undefined) {
        return Number.isFinite(seconds) && seconds >= 0 ? seconds : reportInvalid(value, 'must be 0 or more');
      }
      const found = readText(value);
      if (found === undefined || pattern.test(found)) return found;
      return reportInvalid(value, 'must be seconds, or a time such as 30s, 5m or 1h30m');
    },
    {
      anyOf: [
        { type: 'number', minimum: 0 },
        { type: 'string', pattern: form },
      ],
    },
  ),
);
