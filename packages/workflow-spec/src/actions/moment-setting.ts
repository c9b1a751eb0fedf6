import { readText } from '../read/readers';
import { shape } from '../read/shape';
import { invalid, orReference } from '../read/shapes';
import { isMoment, momentPattern } from '../values/moment';

/** A point in time, RFC 3339 with an offset, or a reference. */
export const moment = orReference(
  shape<string>(
    (value) => {
      const found = readText(value);
      if (found === undefined || isMoment(found)) return found;
      return invalid(value, 'must be a point in time, RFC 3339 with an offset, like 2026-03-01T09:00:00+01:00');
    },
    { type: 'string', pattern: momentPattern },
  ),
);
