import { keySpec } from '../../../shapes/object-kind';
import { readText } from '../../../shapes/readers';
import { shape } from '../../../shapes/shape';
import { anyJson, reportInvalid, oneOrMany, orReference, wholeNumber } from '../../../shapes/shapes';
import { settingBound, textMap } from '../../../shapes/settings/setting-shapes';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** An HTTP method in any case; the canonical form is upper case. */
export const method = orReference(
  shape<string>(
    (value) => {
      const found = readText(value);
      if (found === undefined || methods.includes(found.toUpperCase())) return found?.toUpperCase();
      return reportInvalid(value, `must be one of: ${methods.join(', ')}`);
    },
    { enum: methods.flatMap((name) => [name, name.toLowerCase()]) },
  ),
);

/** One HTTP status, or a list of them. */
export const status = orReference(oneOrMany(wholeNumber(100, 599), settingBound('status')));
export const headers = keySpec('Headers of the request', textMap('headers'));
export const body = keySpec('Body of the request; a map or a list is sent as JSON', anyJson);
