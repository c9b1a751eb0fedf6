import { Script } from 'node:vm';

const parts = [
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

/**
 * What the realm asks of Node, in strings alone: an object or an error of Node's would lead out of the realm. None of
 * these throws.
 */
export const urlCalls = {
  /** The URL in full; empty when it is invalid. */
  parse: (text: string, base: string | undefined): string => URL.parse(text, base)?.href ?? '',
  read: (href: string, part: string): string => {
    const url = URL.parse(href);
    if (url === null) return '';
    if (part === 'origin') return url.origin;
    const known = parts.find((each) => each === part);
    return known === undefined ? '' : url[known];
  },
  /** The URL in full with another part; empty when it would be invalid. */
  write: (href: string, part: string, text: string): string => {
    const url = URL.parse(href);
    const known = parts.find((each) => each === part);
    if (url === null || known === undefined) return '';
    if (known === 'href') return URL.parse(text)?.href ?? '';
    url[known] = text;
    return url.href;
  },
  /** The pairs of a query, as JSON. */
  pairs: (query: string): string => JSON.stringify([...new URLSearchParams(query)]),
  query: (pairs: string): string => new URLSearchParams(JSON.parse(pairs) as [string, string][]).toString(),
};

/** A function that defines `URL` and `URLSearchParams`, whose objects and errors are those of the realm. */
export const defineUrls = new Script(
  `(calls) => {
  'use strict';
  const { parse, read, write, pairs, query } = calls;
  const { parse: fromJson, stringify: toJson } = JSON;
  const text = (value) => String(value).toWellFormed();
  const toPairs = (init) => {
    if (init === undefined || init === null) return [];
    if (typeof init !== 'object') return fromJson(pairs(text(init)));
    if (typeof init[Symbol.iterator] !== 'function') return Object.entries(init).map(([name, value]) => [text(name), text(value)]);
    return [...init].map((pair) => {
      const [name, value, ...rest] = pair;
      if (value === undefined || rest.length > 0) throw new TypeError('Each query pair must be a name and a value');
      return [text(name), text(value)];
    });
  };
  class URLSearchParams {
    #pairs;
    #changed;
    static {
      URLSearchParams.of = (search, changed) => {
        const made = new URLSearchParams(search);
        made.#changed = changed;
        return made;
      };
      URLSearchParams.reset = (params, search) => { params.#pairs = toPairs(search); };
    }
    constructor(init) { this.#pairs = toPairs(init); }
    #set(pairs) { this.#pairs = pairs; if (this.#changed) this.#changed(this.toString()); }
    get size() { return this.#pairs.length; }
    append(name, value) { this.#set([...this.#pairs, [text(name), text(value)]]); }
    delete(name, value) { this.#set(this.#pairs.filter(([n, v]) => n !== text(name) || (value !== undefined && v !== text(value)))); }
    get(name) { return this.#pairs.find(([n]) => n === text(name))?.[1] ?? null; }
    getAll(name) { return this.#pairs.filter(([n]) => n === text(name)).map(([, v]) => v); }
    has(name, value) { return this.#pairs.some(([n, v]) => n === text(name) && (value === undefined || v === text(value))); }
    set(name, value) {
      const at = this.#pairs.findIndex(([n]) => n === text(name));
      if (at === -1) return this.append(name, value);
      this.#set(this.#pairs.flatMap((pair, index) => index === at ? [[pair[0], text(value)]] : pair[0] === text(name) ? [] : [pair]));
    }
    sort() { this.#set(this.#pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))); }
    forEach(call, self) { for (const [name, value] of this.#pairs) call.call(self, value, name, this); }
    *entries() { for (const [name, value] of this.#pairs) yield [name, value]; }
    *keys() { for (const [name] of this.#pairs) yield name; }
    *values() { for (const [, value] of this.#pairs) yield value; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return query(toJson(this.#pairs)); }
  }
  const { of, reset } = URLSearchParams;
  delete URLSearchParams.of;
  delete URLSearchParams.reset;
  class URL {
    #href;
    #params;
    constructor(url, base) {
      this.#href = parse(text(url), base === undefined ? undefined : text(base));
      if (this.#href === '') throw new TypeError('Invalid URL');
    }
    static canParse(url, base) { return parse(text(url), base === undefined ? undefined : text(base)) !== ''; }
    static parse(url, base) { return URL.canParse(url, base) ? new URL(url, base) : null; }
    static {
      for (const part of ${JSON.stringify([...parts, 'origin'])}) {
        const set = part === 'origin' ? undefined : function (value) {
          const href = write(this.#href, part, text(value));
          if (href === '') throw new TypeError('Invalid URL');
          this.#href = href;
          if (this.#params) reset(this.#params, this.search);
        };
        Object.defineProperty(URL.prototype, part, { get() { return read(this.#href, part); }, set, enumerable: true, configurable: true });
      }
    }
    get searchParams() {
      return this.#params ??= of(this.search, (search) => { this.#href = write(this.#href, 'search', search); });
    }
    toString() { return this.#href; }
    toJSON() { return this.#href; }
  }
  for (const [name, value] of [['URL', URL], ['URLSearchParams', URLSearchParams]]) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
}`,
  { filename: 'weir:urls' },
);
