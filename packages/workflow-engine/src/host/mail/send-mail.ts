import { isAppError } from '@weir/foundation';
import addressparser from 'nodemailer/lib/addressparser';
import type { Mail, SendMail } from './mail';
import { mailNotSent, sendFailed } from './mail-errors';
import { mailServerAccess, type MailServerAccess } from './mail-server-access';

/** Time limits in milliseconds. */
export interface MailTimes {
  /** For the connection, including TLS. Default 30,000. */
  readonly connectMs?: number;
  /** Limits the wait for each response of the server. Default 60,000. */
  readonly silenceMs?: number;
  /** Limits the time for the whole mail. Default 300,000. */
  readonly totalMs?: number;
}

const maxSubjectLength = 500;

/** Sends mail by SMTP over one connection per mail, encrypted according to {@link MailServerAccess}. */
export function createMailSender(times: MailTimes = {}): SendMail {
  const { totalMs = 300_000 } = times;
  return async (server, mail, signal) => {
    signal.throwIfAborted();
    const access = mailServerAccess(server);
    const message = toMessage(mail);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), totalMs);
    try {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(transportOptions(access, times));
      const { rejected } = await transport.sendMail({
        ...message,
        signal: AbortSignal.any([signal, limit.signal]),
      });
      if (rejected.length > 0) {
        const all = message.to.length;
        throw mailNotSent(
          `The mail server refused ${rejected.length} of ${all} recipients; the others were sent the mail.`,
        );
      }
    } catch (error) {
      signal.throwIfAborted();
      if (limit.signal.aborted) throw mailNotSent(`The mail was not sent within ${totalMs / 1000} seconds.`);
      throw isAppError(error) ? error : sendFailed(error);
    } finally {
      clearTimeout(timer);
    }
  };
}

function transportOptions(
  { host, port, account, encryption }: MailServerAccess,
  { connectMs = 30_000, silenceMs = 60_000 }: MailTimes,
) {
  return {
    host,
    port,
    secure: encryption === 'always',
    requireTLS: encryption === 'required',
    // Forces authentication, even with a server that does not advertise it.
    ...(account === undefined ? {} : { auth: account, forceAuth: true }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    // Sockets that the server has not closed by then are destroyed.
    socketCloseTimeout: 1_000,
    // Attachments are in memory; the text of a mail must not make the library read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function toMessage({ id, from, to, subject, text, html, attachments = [] }: Mail) {
  return {
    ...(id === undefined ? {} : { messageId: `<${id}@weir>` }),
    from: { ...mailAddress('from', from) },
    to: mailAddresses('to', to).map((address) => ({ ...address })),
    subject: oneLine(subject),
    text,
    ...(html === undefined ? {} : { html }),
    attachments: attachments.map(({ name, content }) => ({
      filename: oneLine(name),
      content: Buffer.from(content),
      contentType: 'application/octet-stream',
    })),
  };
}

/** Outputs of commands often end with a line break, which a header cannot contain. */
function oneLine(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxSubjectLength);
}

interface MailAddress {
  readonly name: string;
  readonly address: string;
}

const maxRecipients = 100;

const maxFieldLength = 10_000;

/** Parses the addresses of a field. Throws when one of the strings contains none. */
function mailAddresses(field: string, texts: readonly string[]): readonly MailAddress[] {
  const found = texts.flatMap((text) => addressesIn(field, text));
  if (found.length > maxRecipients) throw mailNotSent(`${field} contains more than ${maxRecipients} addresses.`);
  if (found.length === 0) throw mailNotSent(`${field} contains no mail address.`);
  return found;
}

/** Parses a single address. Throws for anything else. */
function mailAddress(field: string, text: string): MailAddress {
  const [address, ...more] = addressesIn(field, text);
  if (address === undefined || more.length > 0) throw mailNotSent(`${field} must be one mail address.`);
  return address;
}

function addressesIn(field: string, text: string): readonly MailAddress[] {
  // A line break would start another header.
  if (/\p{Cc}/u.test(text.trim())) {
    throw mailNotSent(`${field} must not contain line breaks or control characters.`);
  }
  if (text.length > maxFieldLength) throw mailNotSent(`${field} is longer than ${maxFieldLength} characters.`);
  const found = addressparser(text.trim(), { flatten: true });
  if (found.length === 0 || !found.every(({ address }) => /^[^\s@<>,]+@[^\s@<>,]+$/.test(address))) {
    throw mailNotSent(`${field} contains an invalid mail address.`);
  }
  return found.map(({ name, address }) => ({ name, address }));
}
