import { AppError } from '@weir/foundation';

/** A mail could not be sent. The message is shown and stored, so it never quotes a setting or the server. */
export function mailNotSent(message: string): AppError {
  return new AppError('unavailable', message, { reason: 'mail_not_sent' });
}

const reasons: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'The mail server did not respond in time',
  EDNS: 'The host of the mail server was not found',
  ECONNECTION: 'The mail server closed the connection or cannot be reached',
  ESOCKET: 'The mail server cannot be reached',
  ETLS: 'The mail server offers no usable encrypted connection',
  EAUTH: 'The mail server rejected the credentials',
  EENVELOPE: 'The mail server refused the sender or the recipients',
  EMESSAGE: 'The mail server refused the mail',
  EPROTOCOL: 'The mail server does not speak SMTP',
};

/** Node has many codes for certificates that are untrusted, expired or issued for another host. */
const certificateCode = /CERT|SIGNATURE/;

/** Describes the failure by its codes alone, because the message of the error quotes the server. */
export function sendFailed(error: unknown): AppError {
  const code = readText(error, 'code') ?? 'unknown error';
  const original = readText(error, 'originalCode') ?? code;
  const reason = certificateCode.test(original)
    ? 'The certificate of the mail server is not trusted'
    : (reasons[code] ?? 'The mail was not sent');
  const codes = [original, readNumber(error, 'responseCode')].filter((part) => part !== undefined);
  return mailNotSent(`${reason} (${codes.join(', ')}).`);
}

function readText(error: unknown, key: string): string | undefined {
  const value = readField(error, key);
  return typeof value === 'string' && /^[A-Z0-9_]{1,64}$/.test(value) ? value : undefined;
}

function readNumber(error: unknown, key: string): number | undefined {
  const value = readField(error, key);
  return typeof value === 'number' ? value : undefined;
}

function readField(error: unknown, key: string): unknown {
  return typeof error === 'object' && error !== null ? (Reflect.get(error, key) as unknown) : undefined;
}
