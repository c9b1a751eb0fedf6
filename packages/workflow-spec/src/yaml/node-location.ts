import { isNode } from 'yaml';
import type { Offsets } from '../findings/source-location';

/** Without trailing comments; empty for a missing node. */
export function nodeRange(node: unknown): Offsets {
  if (!isNode(node) || !node.range) return [0, 0];
  return [node.range[0], node.range[1]];
}

/** RFC 6901: `~` and `/` in a key are escaped. */
export function childPath(path: string, key: string): string {
  const isPlain = !key.includes('~') && !key.includes('/');
  return `${path}/${isPlain ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A JSON pointer in readable form: `/steps/3/depends/0` is `steps[3].depends[0]`. */
export function describePath(path: string): string {
  if (path === '') return 'the document';
  const parts = path.slice(1).split('/');
  const text = parts.map((part) =>
    /^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`,
  );
  return text.join('').replace(/^\./, '');
}
