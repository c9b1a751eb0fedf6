import { isIPv6 } from 'node:net';

const groupsOfNetwork = 4;

/**
 * What failures are counted by: an IPv4 address, or the /64 network of an IPv6 address, all of which commonly belongs
 * to one client, who could otherwise take a new address for each attempt.
 */
export function toNetwork(address: string): string {
  const [bare = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(bare)) return address;
  const [head = [], tail = []] = bare.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = bare.includes('::') ? Array<string>(groupsOfNetwork).fill('0') : [];
  const groups = [...head, ...zeros.slice(0, 8 - head.length - tail.length), ...tail].slice(0, groupsOfNetwork);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
