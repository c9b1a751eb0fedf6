import addressparser from 'nodemailer/lib/addressparser';
import { mailNotSent } from './mail-errors';

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

const maxRecipients = 100;
const maxLength = 10_000;

/** Parses the addresses of a field. Throws when one of the strings contains none. */
export function mailAddresses(field: string, texts: readonly string[]): readonly MailAddress[] {
  const found = texts.flatMap((text) => addressesIn(field, text));
  if (found.length > maxRecipients) throw mailNotSent(`${field} contains more than ${maxRecipients} addresses.`);
  if (found.length === 0) throw mailNotSent(`${field} contains no mail address.`);
  return found;
}

/** Parses a single address. Throws for anything else. */
export function mailAddress(field: string, text: string): MailAddress {
  const [address, ...more] = addressesIn(field, text);
  if (address === undefined || more.length > 0) throw mailNotSent(`${field} must be one mail address.`);
  return address;
}

function addressesIn(field: string, text: string): readonly MailAddress[] {
  // A line break would start another header.
  if (/\p{Cc}/u.test(text.trim())) {
    throw mailNotSent(`${field} must not contain line breaks or control characters.`);
  }
  if (text.length > maxLength) throw mailNotSent(`${field} is longer than ${maxLength} characters.`);
  const found = addressparser(text.trim(), { flatten: true });
  if (found.length === 0 || !found.every(({ address }) => /^[^\s@<>,]+@[^\s@<>,]+$/.test(address))) {
    throw mailNotSent(`${field} contains an invalid mail address.`);
  }
  return found.map(({ name, address }) => ({ name, address }));
}
