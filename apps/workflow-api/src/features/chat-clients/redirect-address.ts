import { isLoopbackHost } from '@weir/foundation';

const maxLength = 512;
// Editors whose own schemes the operating system passes to them; another scheme has to name its owner, as in RFC 8252.
const schemesOfEditors: ReadonlySet<string> = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:']);

/**
 * Whether a code may be sent there: to a page over TLS, to a program of the same machine as the browser, or to one that
 * owns its scheme. A page without TLS would show the code to the network, and `javascript:` would run on the page that
 * goes there.
 */
export function isUsableRedirect(address: string): boolean {
  const url = address.length > maxLength || /[\s\\#]/.test(address) ? null : URL.parse(address);
  if (url === null) return false;
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return url.hostname !== '';
  if (url.protocol === 'http:') return isLoopbackHost(url.hostname);
  return schemesOfEditors.has(url.protocol) || /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol);
}

/** Whether the program that gets the code is on the machine of the browser. */
export function isLocalRedirect(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol !== 'https:';
}

/**
 * Whether the address is one of those registered: the same text, except that a program of this machine has another port
 * at each start.
 */
export function isRegisteredRedirect(address: string, registered: readonly string[]): boolean {
  return isUsableRedirect(address) && registered.some((each) => each === address || isSameButPort(address, each));
}

function isSameButPort(address: string, registered: string): boolean {
  const [one, other] = [URL.parse(address), URL.parse(registered)];
  if (one === null || other === null || one.protocol !== 'http:' || other.protocol !== 'http:') return false;
  one.port = other.port;
  return one.href === other.href;
}

/** Adds the values to the query of a registered address. */
export function withParameters(address: string, values: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
