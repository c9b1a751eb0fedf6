import { resolveField, type MailServer, type Scope } from '@weir/workflow-spec';
import { isIPv4 } from 'node:net';
import { mailNotSent } from './mail-errors';

/** How a server is spoken to. */
export interface MailServerAccess {
  readonly host: string;
  readonly port: number;
  readonly account?: { readonly user: string; readonly pass: string };
  /** `always` from the first byte, `required` before anything is told, `offered` where the server has it. */
  readonly encryption: 'always' | 'required' | 'offered';
}

/** Of the submission of mail; 465 is the same with encryption from the first byte. */
const defaultPort = 587;
const encryptedPort = 465;
const lastPort = 65_535;

/** The mail server of a DAG with its references replaced. Throws `resolved_text_too_long`. */
export function resolveMailServer(server: MailServer, scope: Scope): MailServer {
  const resolved = Object.entries(server).map(([key, text]: [string, string]) => [key, resolveField(text, scope)]);
  return { host: '', ...(Object.fromEntries(resolved) as Partial<MailServer>) };
}

/** Throws for what no server can be reached by. */
export function mailServerAccess({ host, port = '', username = '', password = '' }: MailServer): MailServerAccess {
  const name = host.trim();
  if (!/^[A-Za-z0-9._:-]{1,255}$/.test(name)) throw mailNotSent('smtp.host is not the name or address of a host.');
  const number = port.trim() === '' ? defaultPort : parsePort(port.trim());
  if ((username === '') !== (password === '')) {
    throw mailNotSent('smtp.username and smtp.password are only of use together.');
  }
  const hasAccount = username !== '';
  return {
    host: name,
    port: number,
    ...(hasAccount ? { account: { user: username, pass: password } } : {}),
    // Whoever stands between could leave the offer of encryption out, and read the password.
    encryption: number === encryptedPort ? 'always' : hasAccount && !isThisHost(name) ? 'required' : 'offered',
  };
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > lastPort) throw mailNotSent(`smtp.port must be a port, from 1 to ${lastPort}.`);
  return port;
}

function isThisHost(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
