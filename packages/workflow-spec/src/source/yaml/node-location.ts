import { isNode } from 'yaml';
import type { Offsets } from '../findings/source-location';

/** Excludes trailing comments; empty for a missing node. */
export function nodeRange(node: unknown): Offsets {
  if (!isNode(node) || !node.range) return [0, 0];
  return [node.range[0], node.range[1]];
}

/** Escapes `~` and `/` in a key by RFC 6901. */
export function childPath(path: string, key: string): string {
  const isPlain = !key.includes('~') && !key.includes('/');
  return `${path}/${isPlain ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
