import { createHash, timingSafeEqual } from 'node:crypto';
import { connect as connectPlain } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { isAppError } from '@weir/foundation';
import type { ImapFlow, ImapFlowOptions } from 'imapflow';
import { errorCode } from '../../host/files/error-code';
import type { ActionContext } from '../call/action-executor';
import { accountFailed, mailboxServer, signInTo, type Mailbox, type MailboxServer } from './mailbox';

type Transport = NonNullable<ImapFlowOptions['transport']>;

const connectMs = 30_000;
/** The longest time without a byte in either direction. */
const silenceMs = 120_000;
const maxLineBytes = 16 * 1024 * 1024;
const maxResponseBytes = 64 * 1024 * 1024;

/** One encrypted and signed-in connection for the work, closed by a stop. */
export async function withImap<T>(
  mailbox: Mailbox,
  { signal, log }: Pick<ActionContext, 'signal' | 'log'>,
  use: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const server = mailboxServer(mailbox, 'imap');
  const auth = await signInTo(mailbox, signal);
  // Loaded on first use: most servers never open a mailbox.
  const { ImapFlow: Client } = await import('imapflow');
  const client = new Client({
    host: server.host,
    port: server.port,
    secure: server.security === 'tls',
    ...(server.security === 'starttls' ? { doSTARTTLS: true } : {}),
    auth,
    transport: checkedTransport(server),
    clientInfo: { name: 'weir' },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    maxLineLength: maxLineBytes,
    maxLiteralSize: maxResponseBytes,
    maxResponseSize: maxResponseBytes,
  });
  let problem: unknown;
  client.on('error', (error: unknown) => (problem ??= error));
  const onAbort = (): void => client.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect();
    const result = await use(client);
    await client.logout();
    return result;
  } catch (error) {
    if (signal.aborted || isAppError(error)) throw error;
    const note = readField(error, 'responseText');
    // The server may quote settings, so its words go to the log, where secrets are masked.
    if (typeof note === 'string' && readField(error, 'authenticationFailed') !== true) log.note(note);
    throw accountFailed(mailbox.address, describeFailure(problem ?? error), error);
  } finally {
    signal.removeEventListener('abort', onAbort);
    client.close();
  }
}

/** Compares a pinned certificate before anything is sent, since the library would sign in first. */
function checkedTransport({ acceptsAnyCertificate, certificateSha256: pinned }: MailboxServer): Transport {
  const rejectUnauthorized = !acceptsAnyCertificate && pinned === undefined;
  const onceChecked = (socket: TLSSocket, done: () => void): TLSSocket =>
    socket.once('secureConnect', () => {
      if (pinned === undefined || hasFingerprint(socket, pinned)) done();
      else socket.destroy(Object.assign(new Error('another certificate'), { code: 'CERT_NOT_PINNED' }));
    });
  return {
    connect: ({ host, port, servername, secure }, onConnect) =>
      secure
        ? onceChecked(connectTls({ host, port, ...named(servername), rejectUnauthorized }), onConnect)
        : connectPlain({ host, port }, onConnect),
    upgrade: (socket, { host, servername }, onSecure) =>
      onceChecked(connectTls({ socket, host, ...named(servername), rejectUnauthorized }), onSecure),
  };
}

function named(servername: string | undefined) {
  return servername === undefined ? {} : { servername };
}

function hasFingerprint(socket: TLSSocket, pinned: Buffer): boolean {
  const certificate = socket.getPeerX509Certificate();
  return certificate !== undefined && timingSafeEqual(createHash('sha256').update(certificate.raw).digest(), pinned);
}

/** Describes the failure by its codes alone, because its message quotes the server. */
function describeFailure(error: unknown): string {
  const answer = readCode(error, 'serverResponseCode');
  if (readField(error, 'authenticationFailed') === true) {
    return `the server rejected the sign-in${answer === undefined ? '' : ` (${answer})`}`;
  }
  if (readField(error, 'mailboxMissing') === true) return 'the folder was not found';
  const status = readCode(error, 'responseStatus');
  if (status !== undefined) return `the server refused this (${[status, answer].filter(Boolean).join(', ')})`;
  const code = errorCode(error);
  if (code === 'CERT_NOT_PINNED') return 'the server presented another certificate than the pinned one';
  if (code !== undefined && /CERT|SIGNATURE/.test(code))
    return `the certificate of the server is not trusted (${code})`;
  if (code !== undefined && /STARTTLS|UPGRADE/i.test(code)) return `the server offers no usable encryption (${code})`;
  return `the server cannot be reached, or the connection was lost${code === undefined ? '' : ` (${code})`}`;
}

function readCode(error: unknown, key: string): string | undefined {
  const value = readField(error, key);
  return typeof value === 'string' && /^[A-Z0-9-]{1,64}$/.test(value) ? value : undefined;
}

function readField(error: unknown, key: string): unknown {
  return typeof error === 'object' && error !== null ? (Reflect.get(error, key) as unknown) : undefined;
}
