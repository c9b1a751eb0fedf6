import { readFilledText, type Reader } from '../read/readers';
import { namedShape, shape } from '../read/shape';
import { hasReference, invalid } from '../read/shapes';

const readAddress: Reader<string> = (value) => {
  const address = readFilledText(value)?.trim();
  if (address === undefined) return undefined;
  // A line break would begin a header of its own.
  if (/\p{Cc}/u.test(address)) return invalid(value, 'must not contain line breaks or control characters');
  if (hasReference(value) || /[^\s@]@[^\s@]/.test(address)) return address;
  return invalid(value, 'must be a mail address');
};

/** A mail address, with or without the name of its owner; it may hold references. */
export const mailAddress = namedShape('MailAddress', shape(readAddress, { type: 'string', pattern: '[@$]' }));
