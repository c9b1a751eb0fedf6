import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { mailServerCertificate } from './mail-server-certificate';

export interface ReceivedMail {
  /** The sender of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
  /** The authenticated user. */
  readonly user: string | undefined;
  readonly subject: string | undefined;
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly attachments: readonly { readonly name: string; readonly content: string }[];
  /** The message as it was received. */
  readonly raw: string;
}

export interface MailServerOptions {
  /** Required from clients, if given. The password is also accepted as an access token. */
  readonly account?: { readonly user: string; readonly password: string };
  /** `starttls` offers it, `implicit` speaks nothing else; plain text when missing. */
  readonly encryption?: 'starttls' | 'implicit';
  /** Recipients that the server rejects. */
  readonly refused?: readonly string[];
  /** The command after which the server no longer responds. */
  readonly silentAt?: 'greeting' | 'data';
}

export interface TestMailServer {
  readonly host: string;
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Connections since the start. */
  readonly connectionCount: () => number;
  /** Open connections. */
  readonly openCount: () => number;
  readonly close: () => Promise<void>;
}

/** An SMTP server on a loopback address that stores the mails it receives. */
export async function startMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    ...serverOptions(options),
    onConnect: (_session, done) => {
      connections += 1;
      if (options.silentAt !== 'greeting') done();
    },
    onData: (stream, session, done) => {
      void receive(stream, session).then((mail) => {
        mails.push(mail);
        if (options.silentAt !== 'data') done();
      }, done);
    },
  });
  // A client that disconnects must not end the process.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: '127.0.0.1',
    port: (server.server.address() as AddressInfo).port,
    mails,
    connectionCount: () => connections,
    openCount: () => server.connections.size,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function serverOptions({ account, encryption, refused = [] }: MailServerOptions): SMTPServerOptions {
  return {
    ...mailServerCertificate,
    secure: encryption === 'implicit',
    disabledCommands: encryption === 'starttls' ? [] : ['STARTTLS'],
    allowInsecureAuth: encryption === undefined,
    authOptional: account === undefined,
    disableReverseLookup: true,
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    closeTimeout: 100,
    onAuth: ({ username, password, accessToken }, _session, done) => {
      if (account !== undefined && username === account.user && (password ?? accessToken) === account.password) {
        done(null, { user: username });
        return;
      }
      // A server whose error message leaks the credentials.
      done(new Error(`no such account ${username ?? ''} ${password ?? ''}`));
    },
    onRcptTo: ({ address }, _session, done) => {
      done(refused.includes(address) ? new Error(`no such mailbox ${address}`) : null);
    },
  };
}

async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<ReceivedMail> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  const raw = Buffer.concat(parts);
  const { subject, text, html, attachments } = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
  const { mailFrom, rcptTo } = session.envelope;
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    isEncrypted: session.secure,
    user: typeof session.user === 'string' ? session.user : undefined,
    subject,
    text,
    html,
    attachments: attachments.map(({ filename, content }) => ({
      name: filename ?? '',
      content: typeof content === 'string' ? content : '',
    })),
    raw: raw.toString('utf8'),
  };
}
