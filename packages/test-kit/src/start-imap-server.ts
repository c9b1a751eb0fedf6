// oxlint-disable-next-line typescript/triple-slash-reference -- projects that compile this file without the whole package need the types too
/// <reference path="./hoodiecrow-imap.d.ts" />
import type { AddressInfo, Socket } from 'node:net';
import hoodiecrow from 'hoodiecrow-imap';
import { mailServerCertificate } from './mail-server-certificate';

export interface StoredMail {
  /** The mail with its headers. */
  readonly raw: string;
  readonly uid?: number;
  readonly flags?: readonly string[];
  /** When the server received it, as IMAP writes it. */
  readonly internaldate?: string;
}

export interface ImapServerOptions {
  /** The encryption that the server speaks or offers. Default: `tls`. */
  readonly security?: 'tls' | 'starttls' | 'none';
  readonly messages: readonly StoredMail[];
  /** Extensions that the server lacks. */
  readonly without?: readonly string[];
}

export interface TestImapServer {
  readonly port: number;
  /** The mails of a folder; `undefined` when there is no such folder. */
  folder(path: string): readonly StoredMail[] | undefined;
  close(): Promise<void>;
}

const plugins = ['SASL-IR', 'AUTH-PLAIN', 'XOAUTH2', 'UIDPLUS', 'MOVE', 'SPECIAL-USE', 'UNSELECT', 'ENABLE'];

/** An IMAP server on a loopback address with the account `weir`, whose password and access token are `hunter2`. */
export async function startImapServer(options: ImapServerOptions): Promise<TestImapServer> {
  const { security = 'tls', messages, without = [] } = options;
  const server = hoodiecrow({
    plugins: [...plugins, ...(security === 'starttls' ? ['STARTTLS', 'LOGINDISABLED'] : [])].filter(
      (plugin) => !without.includes(plugin),
    ),
    secureConnection: security === 'tls',
    credentials: { ...mailServerCertificate },
    users: { weir: { password: 'hunter2', xoauth2: { accessToken: 'hunter2', sessionTimeout: 60_000 } } },
    storage: {
      // The server changes what it is given.
      INBOX: { messages: structuredClone(messages) },
      '': { folders: { Archive: { 'special-use': '\\Archive' }, Trash: { 'special-use': '\\Trash' } } },
    },
  });
  // Its answers are several writes, which would wait for each other.
  server.server.on('connection', (socket: Socket) => socket.setNoDelay(true));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    folder: (path) => server.getMailbox(path)?.messages,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
