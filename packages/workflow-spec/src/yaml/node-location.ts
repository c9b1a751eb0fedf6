import { isNode } from 'yaml';
import type { Offsets } from '../findings/source-location';

/** Where a node is written, without the comments after it. An empty range for what is not there. */
export function nodeRange(node: unknown): Offsets {
  if (!isNode(node) || !node.range) return [0, 0];
  return [node.range[0], node.range[1]];
}

/** RFC 6901: `~` and `/` inside a key are escaped. */
export function childPath(path: string, key: string): string {
  const isPlain = !key.includes('~') && !key.includes('/');
  return `${path}/${isPlain ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A pointer as people write it: `/steps/3/depends/0` is `steps[3].depends[0]`. */
export function describePath(path: string): string {
  if (path === '') return 'the document';
  const parts = path.slice(1).split('/');
  const text = parts.map((part) =>
    /^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`,
  );
  return text.join('').replace(/^\./, '');
}
