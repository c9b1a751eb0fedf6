import { readText } from '../../../shapes/readers';
import { shape } from '../../../shapes/shape';
import { reportInvalid, orReference } from '../../../shapes/shapes';
import { isTimestamp, timestampPattern } from '../../../shapes/timestamp';

/** A point in time, RFC 3339 with an offset, or a reference. */
export const moment = orReference(
  shape<string>(
    (value) => {
      const found = readText(value);
      if (found === undefined || isTimestamp(found)) return found;
      return reportInvalid(value, 'must be a point in time, RFC 3339 with an offset, like 2026-03-01T09:00:00+01:00');
    },
    { type: 'string', pattern: timestampPattern },
  ),
);
