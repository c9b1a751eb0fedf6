import { createHmac, timingSafeEqual } from 'node:crypto';
import { matchesWildcards } from '../../values/text/wildcards';

/** The verdict of the known hosts about the key that a host presents. */
export type HostKeyVerdict = 'known' | 'unknown' | 'changed' | 'revoked';

export interface HostName {
  /** A name or an address, as in the settings. */
  readonly host: string;
  readonly port: number;
}

interface KnownKey {
  readonly isRevoked: boolean;
  readonly type: string;
  readonly key: string;
}

const defaultPort = 22;

/** Checks a key in wire format against the text of one or more known_hosts files. */
export function judgeHostKey(knownHosts: string, name: HostName, shown: Uint8Array): HostKeyVerdict {
  const keys = findKeys(knownHosts, name);
  const key = Buffer.from(shown).toString('base64');
  if (keys.some((known) => known.isRevoked && known.key === key)) return 'revoked';
  const trusted = keys.filter(({ isRevoked }) => !isRevoked);
  if (trusted.some((known) => known.key === key)) return 'known';
  return trusted.length === 0 ? 'unknown' : 'changed';
}

/**
 * The types of the host's known keys, such as `ssh-ed25519`. A host has a key of each type and must be asked for one that
 * is known.
 */
export function knownKeyTypes(knownHosts: string, name: HostName): readonly string[] {
  const trusted = findKeys(knownHosts, name).filter(({ isRevoked }) => !isRevoked);
  return [...new Set(trusted.map(({ type }) => type))];
}

function findKeys(knownHosts: string, name: HostName): readonly KnownKey[] {
  const wanted = writtenName(name);
  return knownHosts.split(/\r?\n/).flatMap((line) => parseLine(line, wanted) ?? []);
}

function parseLine(line: string, wanted: string): KnownKey | undefined {
  const words = line.trim().split(/\s+/);
  const marker = words[0]?.startsWith('@') === true ? words.shift() : undefined;
  const [patterns = '', type, key] = words;
  // This client does not accept host certificates, so entries of certificate authorities are ignored.
  if (patterns.startsWith('#') || marker === '@cert-authority' || type === undefined || key === undefined) {
    return undefined;
  }
  return matches(patterns, wanted) ? { isRevoked: marker === '@revoked', type, key } : undefined;
}

/** The notation of known_hosts files, which name only other ports than the default. */
function writtenName({ host, port }: HostName): string {
  const name = host.toLowerCase();
  return port === defaultPort ? name : `[${name}]:${port}`;
}

function matches(patterns: string, wanted: string): boolean {
  if (patterns.startsWith('|1|')) return matchesHash(patterns, wanted);
  let isMatch = false;
  for (const pattern of patterns.toLowerCase().split(',')) {
    const isNegated = pattern.startsWith('!');
    if (!matchesWildcards(wanted, isNegated ? pattern.slice(1) : pattern)) continue;
    if (isNegated) return false;
    isMatch = true;
  }
  return isMatch;
}

/** `|1|salt|hash`: hashed, so that the file does not reveal the hosts. */
function matchesHash(hashed: string, wanted: string): boolean {
  const [, , salt = '', hash = ''] = hashed.split('|');
  const expected = Buffer.from(hash, 'base64');
  const found = createHmac('sha1', Buffer.from(salt, 'base64')).update(wanted).digest();
  return found.length === expected.length && timingSafeEqual(found, expected);
}
