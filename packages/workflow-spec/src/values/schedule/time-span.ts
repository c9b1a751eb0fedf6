import { limits } from '../../model/limits';
import { readText } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { reportInvalid } from '../../shapes/shapes';

const form = '^(?=\\d)(?:(\\d+)d)?(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?$';
const pattern = new RegExp(form);
const unitSeconds = [86_400, 3_600, 60, 1];

/** Days, hours, minutes and seconds in sequence, like `2d12h`, as a positive number of seconds. */
export const timeSpan = shape<number>(
  (value) => {
    const found = readText(value);
    if (found === undefined) return undefined;
    // A missing unit leaves an undefined group.
    const parts: readonly (string | undefined)[] | undefined = pattern.exec(found)?.slice(1);
    if (!parts) return reportInvalid(value, 'must be a time span such as 6h, 90m or 2d12h');
    const seconds = parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (unitSeconds[index] ?? 0), 0);
    if (seconds > 0 && seconds <= limits.durationSec) return seconds;
    return reportInvalid(value, 'must be positive and at most ten years');
  },
  { type: 'string', pattern: form },
);
