import { createTransport } from 'nodemailer';
import { isAppError } from '@weir/errors';
import type { Mail, SendMail } from './mail';
import { mailAddress, mailAddresses } from './mail-addresses';
import { mailNotSent, sendFailed } from './mail-errors';
import { mailServerAccess, type MailServerAccess } from './mail-server-access';

/** How long is waited for a server, in milliseconds. */
export interface MailTimes {
  /** For the connection, encryption included; 30 seconds when missing. */
  readonly connectMs?: number;
  /** For its next word; 60 seconds when missing. */
  readonly silenceMs?: number;
  /** For everything; 5 minutes when missing. */
  readonly totalMs?: number;
}

const maxSubjectLength = 500;

/** Sends mail by SMTP: one connection for each mail, encrypted by {@link MailServerAccess}. */
export function createMailSender(times: MailTimes = {}): SendMail {
  const { totalMs = 300_000 } = times;
  return async (server, mail, signal) => {
    signal.throwIfAborted();
    const access = mailServerAccess(server);
    const message = toMessage(mail);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), totalMs);
    try {
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
    // A server that is silent about sign-ins shall refuse this one, instead of getting a mail from nobody.
    ...(account === undefined ? {} : { auth: account, forceAuth: true }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    // What is not closed by the other side then is destroyed: nothing outlives the step by more than this.
    socketCloseTimeout: 1_000,
    // The content is in memory: no text of a mail makes this process read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function toMessage({ from, to, subject, text, html, attachments = [] }: Mail) {
  return {
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

/** Outputs of commands often end with a line break; as a header they have one line. */
function oneLine(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxSubjectLength);
}
