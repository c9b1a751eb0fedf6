import { createHash, timingSafeEqual } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { isAppError } from '@weir/foundation';
import type { SMTPConnectionAuth } from 'nodemailer/lib/smtp-connection';
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
    const access = 'encryption' in server ? server : mailServerAccess(server);
    const message = toMessage(mail);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), totalMs);
    try {
      const rejected = await deliver(access, message, { times, signal: AbortSignal.any([signal, limit.signal]) });
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

interface Delivery {
  readonly times: MailTimes;
  readonly signal: AbortSignal;
}

/** Returns the recipients that the server refused while it accepted others. */
async function deliver(
  access: MailServerAccess,
  message: ReturnType<typeof toMessage>,
  { times, signal }: Delivery,
): Promise<readonly unknown[]> {
  const [{ default: MailComposer }, { default: SMTPConnection }] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/smtp-connection'),
  ]);
  signal.throwIfAborted();
  const content = new MailComposer(message).compile();
  // The transports of the library sign in before anyone could look at the certificate.
  const connection = new SMTPConnection(connectionOptions(access, times));
  let reject: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, fail) => (reject = fail));
  failed.catch(() => undefined);
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  connection.on('error', (error: Error) => reject(error));
  connection.on('end', () => reject(Object.assign(new Error('The connection ended.'), { code: 'ECONNECTION' })));
  const step = <T>(
    start: (done: (error: Error | null | undefined, result?: T) => void) => void,
  ): Promise<T | undefined> =>
    Promise.race([
      failed,
      new Promise<T | undefined>((resolve, fail) => start((error, result) => (error ? fail(error) : resolve(result)))),
    ]);
  try {
    await step((done) => connection.connect(done));
    checkCertificate(access, connection._socket);
    const { account } = access;
    // Also with a server that does not advertise it: a mail is sent authenticated or not at all.
    const login = account && (await toLogin(account));
    if (login !== undefined) await step((done) => connection.login(login, done));
    const sent = await step<{ rejected?: readonly unknown[] }>((done) =>
      connection.send(content.getEnvelope(), content.createReadStream(), done),
    );
    connection.quit();
    return sent?.rejected ?? [];
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function toLogin(account: NonNullable<MailServerAccess['account']>): Promise<SMTPConnectionAuth> {
  if ('pass' in account) return { credentials: account };
  const { default: XOAuth2 } = await import('nodemailer/lib/xoauth2');
  return { type: 'OAUTH2', method: 'XOAUTH2', user: account.user, oauth2: new XOAuth2(account) };
}

function checkCertificate({ certificateSha256: pinned }: MailServerAccess, socket: unknown): void {
  if (pinned === undefined) return;
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  if (certificate === undefined) throw mailNotSent('The mail server presented no certificate.');
  if (timingSafeEqual(createHash('sha256').update(certificate.raw).digest(), pinned)) return;
  throw mailNotSent(
    `The mail server presented another certificate than the pinned one: ${certificate.fingerprint256}.`,
  );
}

function connectionOptions(
  { host, port, encryption, certificateSha256, acceptsAnyCertificate = false }: MailServerAccess,
  { connectMs = 30_000, silenceMs = 60_000 }: MailTimes,
) {
  return {
    host,
    port,
    secure: encryption === 'always',
    requireTLS: encryption === 'required',
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    // Sockets that the server has not closed by then are destroyed.
    socketCloseTimeout: 1_000,
    // A pinned certificate is compared once it is known, which takes the place of the check of its signatures.
    ...(certificateSha256 === undefined && !acceptsAnyCertificate ? {} : { tls: { rejectUnauthorized: false } }),
  };
}

function toMessage({ id, from, to, subject, text, html, attachments = [] }: Mail) {
  return {
    // Attachments are in memory; the text of a mail must not make the library read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
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
