import type { MailServer } from '@weir/workflow-spec';
import { resolveField, type Scope } from '@weir/workflow-spec/values';
import { isIPv4 } from 'node:net';
import { mailNotSent } from './mail-errors';

/** The settings of a connection to a mail server. */
export interface MailServerAccess {
  readonly host: string;
  readonly port: number;
  readonly account?:
    { readonly user: string; readonly pass: string } | { readonly user: string; readonly accessToken: string };
  /** Whether the certificate is not checked at all. Default: no. */
  readonly acceptsAnyCertificate?: boolean;
  /** SHA-256 of the only certificate that is accepted; 32 bytes. */
  readonly certificateSha256?: Buffer;
  /** `always`: TLS from the first byte. `required`: STARTTLS before anything else. `offered`: STARTTLS if available. */
  readonly encryption: 'always' | 'required' | 'offered';
}

/** Ports of mail submission; 465 is for TLS from the first byte. */
const defaultPort = 587;
const encryptedPort = 465;
const lastPort = 65_535;

/** Replaces the references in the mail server of a DAG. Throws `resolved_text_too_long`. */
export function resolveMailServer(server: MailServer, scope: Scope): MailServer {
  const resolved = Object.entries(server).map(([key, text]: [string, string]) => [key, resolveField(text, scope)]);
  return { host: '', ...(Object.fromEntries(resolved) as Partial<MailServer>) };
}

/** Throws when the settings cannot address a server. */
export function mailServerAccess(server: MailServer): MailServerAccess {
  const { host, port = '', username = '', password = '', tlsCertSha256 = '' } = server;
  const name = host.trim();
  if (!/^[A-Za-z0-9._:-]{1,255}$/.test(name)) throw mailNotSent('smtp.host is not the name or address of a host.');
  const number = port.trim() === '' ? defaultPort : parsePort(port.trim());
  if ((username === '') !== (password === '')) {
    throw mailNotSent('smtp.username and smtp.password are only of use together.');
  }
  const hasAccount = username !== '';
  const isPinned = tlsCertSha256.trim() !== '';
  return {
    host: name,
    port: number,
    ...(hasAccount ? { account: { user: username, pass: password } } : {}),
    ...(isPinned ? { certificateSha256: parseFingerprint(tlsCertSha256.trim()) } : {}),
    // A man in the middle could suppress the offer of STARTTLS and read the password.
    encryption:
      number === encryptedPort ? 'always' : isPinned || (hasAccount && !isThisHost(name)) ? 'required' : 'offered',
  };
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > lastPort) throw mailNotSent(`smtp.port must be a port, from 1 to ${lastPort}.`);
  return port;
}

export function parseFingerprint(text: string): Buffer {
  const digits = text.replaceAll(':', '');
  if (!/^[0-9A-Fa-f]{64}$/.test(digits)) {
    throw mailNotSent('smtp.tls_cert_sha256 must be a SHA-256 of 64 hexadecimal digits.');
  }
  return Buffer.from(digits, 'hex');
}

function isThisHost(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
