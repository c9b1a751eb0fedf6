import { checkMailAccount, type MailAccount } from '@weir/workflow-spec/actions';
import { parseFingerprint } from '../../host/mail/mail-server-access';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionCall } from '../call/action-executor';
import { fetchAccessToken } from './mail-token';

/** A server of a mail account. The connection is always encrypted: from the first byte, or by STARTTLS. */
export interface MailboxServer {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls';
  readonly acceptsAnyCertificate: boolean;
  /** SHA-256 of the only certificate that is accepted; 32 bytes. */
  readonly certificateSha256?: Buffer;
}

export type SignIn =
  { readonly user: string; readonly pass: string } | { readonly user: string; readonly accessToken: string };

/** A checked mail account. */
export interface Mailbox {
  readonly address: string;
  readonly account: MailAccount;
}

type Protocol = 'imap' | 'smtp';
type ServerSettings = NonNullable<MailAccount['imap']>;

const providerServers = {
  google: {
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
  },
  microsoft: {
    imap: { host: 'outlook.office365.com', port: 993, security: 'tls' },
    smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
  },
  imap: { imap: {}, smtp: {} },
} as const satisfies Record<string, Record<Protocol, Partial<ServerSettings>>>;

const standardPorts = { imap: { tls: 993, starttls: 143 }, smtp: { tls: 465, starttls: 587 } } as const;

/** The account that the setting `mailbox` names. Throws when there is none, or its values cannot be used. */
export function findMailbox({ mailAccount }: Pick<ActionCall, 'mailAccount'>): Mailbox {
  if (mailAccount === undefined) throw actionFailed('mailbox names no account of mail_accounts.');
  const { address, settings } = mailAccount;
  const checked = checkMailAccount(settings);
  if ('problems' in checked) throw accountFailed(address, checked.problems.join('; '));
  return { address, account: checked.account };
}

/** Throws when the account does not say where its server is. */
export function mailboxServer({ address, account }: Mailbox, protocol: Protocol): MailboxServer {
  const usual: Partial<ServerSettings> = providerServers[account.provider ?? 'imap'][protocol];
  const own = account[protocol] ?? {};
  const host = (own.host ?? usual.host ?? '').trim();
  if (host === '') throw accountFailed(address, `${protocol}.host is required`);
  if (!/^[A-Za-z0-9._:-]{1,255}$/.test(host)) {
    throw accountFailed(address, `${protocol}.host is not the name or address of a host`);
  }
  const security = own.security ?? usual.security ?? 'tls';
  const usualPort = security === usual.security ? usual.port : undefined;
  const { tls_cert_sha256: pinned } = own;
  return {
    host,
    port: own.port ?? usualPort ?? standardPorts[protocol][security],
    security,
    acceptsAnyCertificate: own.skip_tls_verify === true,
    ...(pinned === undefined ? {} : { certificateSha256: parseFingerprint(pinned) }),
  };
}

/** What the account signs in with; a refresh token is exchanged each time. */
export async function signInTo({ address, account }: Mailbox, signal: AbortSignal): Promise<SignIn> {
  const { username: user = address, password, oauth } = account;
  if (oauth === undefined) return { user, pass: password ?? '' };
  const answer = await fetchAccessToken(oauth, signal);
  if ('problem' in answer) throw accountFailed(address, answer.problem);
  return { user, accessToken: answer.accessToken };
}

/** Fails an action for the account, which the DAG names itself. */
export function accountFailed(address: string, problem: string, cause?: unknown) {
  return actionFailed(`mail account ${JSON.stringify(address)}: ${problem}.`, cause);
}
