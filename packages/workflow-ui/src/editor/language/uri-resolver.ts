// Replaces the library for URIs that ajv needs, by RFC 3986, section 5.2. That library is a thirtieth of the language worker.
interface UriParts {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

export function parse(uri: string): UriParts {
  const [, scheme, authority, path = '', query, fragment] = parts.exec(uri) ?? [];
  return { scheme, authority, path, query, fragment };
}

export function serialize({ scheme, authority, path, query, fragment }: UriParts): string {
  const start = (scheme === undefined ? '' : `${scheme}:`) + (authority === undefined ? '' : `//${authority}`);
  return start + path + (query === undefined ? '' : `?${query}`) + (fragment === undefined ? '' : `#${fragment}`);
}

export function resolve(base: string, reference: string): string {
  const from = parse(base);
  const to = parse(reference);
  const { fragment } = to;
  if (to.scheme !== undefined) return serialize({ ...to, path: withoutDots(to.path) });
  const { scheme } = from;
  if (to.authority !== undefined) return serialize({ ...to, scheme, path: withoutDots(to.path) });
  const { authority } = from;
  if (to.path === '') return serialize({ ...from, query: to.query ?? from.query, fragment });
  const path = withoutDots(to.path.startsWith('/') ? to.path : merge(from, to.path));
  const ofBase = scheme === undefined ? path : path.replace(/^(?:\.\.\/)+/, '');
  return serialize({ scheme, authority, path: ofBase, query: to.query, fragment });
}

function merge({ authority, path }: UriParts, reference: string): string {
  if (authority !== undefined && path === '') return `/${reference}`;
  return path.slice(0, path.lastIndexOf('/') + 1) + reference;
}

/** A relative path that leads above its beginning keeps its dots. */
function withoutDots(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/');
  for (const segment of segments) {
    const isAbove = kept.length === 0 || kept.at(-1) === '..';
    if (segment === '..' && !isAbove) kept.splice(kept.length === 1 && kept[0] === '' ? 1 : -1);
    else if (segment !== '.') kept.push(segment);
  }
  if (segments.at(-1) === '.' || (segments.at(-1) === '..' && kept.at(-1) !== '..')) kept.push('');
  return kept.join('/');
}
