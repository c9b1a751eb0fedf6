import { readNonEmptyText, type Reader } from '../../shapes/readers';
import { namedShape, shape } from '../../shapes/shape';
import { hasReference, reportInvalid } from '../../shapes/shapes';

const readAddress: Reader<string> = (value) => {
  const address = readNonEmptyText(value)?.trim();
  if (address === undefined) return undefined;
  // A line break would start another mail header.
  if (/\p{Cc}/u.test(address)) return reportInvalid(value, 'must not contain line breaks or control characters');
  if (hasReference(value) || /[^\s@]@[^\s@]/.test(address)) return address;
  return reportInvalid(value, 'must be a mail address');
};

/** An address with or without a display name; may contain references. */
export const mailAddress = namedShape('MailAddress', shape(readAddress, { type: 'string', pattern: '[@$]' }));
