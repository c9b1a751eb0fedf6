import { parse, resolve, serialize } from './uri-resolver';

describe('a reference', () => {
  // RFC 3986, section 5.4.
  it.each([
    ['g:h', 'g:h'],
    ['g', 'http://a/b/c/g'],
    ['./g', 'http://a/b/c/g'],
    ['g/', 'http://a/b/c/g/'],
    ['/g', 'http://a/g'],
    ['//g', 'http://g'],
    ['?y', 'http://a/b/c/d;p?y'],
    ['g?y', 'http://a/b/c/g?y'],
    ['#s', 'http://a/b/c/d;p?q#s'],
    ['g#s', 'http://a/b/c/g#s'],
    ['', 'http://a/b/c/d;p?q'],
    ['.', 'http://a/b/c/'],
    ['..', 'http://a/b/'],
    ['../g', 'http://a/b/g'],
    ['../..', 'http://a/'],
    ['../../../g', 'http://a/g'],
    ['g/../h', 'http://a/b/c/h'],
  ])('%j from http://a/b/c/d;p?q is %s', (reference, resolved) => {
    expect(resolve('http://a/b/c/d;p?q', reference)).toBe(resolved);
  });

  it.each([
    ['', '#/definitions/name', '#/definitions/name'],
    ['schema.json', '#/definitions/name', 'schema.json#/definitions/name'],
    ['schema.json#', 'other.json#/a', 'other.json#/a'],
    ['dir/schema.json', '../other.json', 'other.json'],
    ['', '../other.json', '../other.json'],
    ['urn:example:schema', '../other.json', 'urn:other.json'],
    ['https://example.com', 'a.json', 'https://example.com/a.json'],
  ])('from %j, %j is %s', (base, reference, resolved) => {
    expect(resolve(base, reference)).toBe(resolved);
  });
});

it.each(['', '#', 'dir/schema.json', '//host/x', 'https://example.com/a/b.json?q#/c', 'urn:example:schema'])(
  'writes %j unchanged after reading it',
  (uri) => {
    expect(serialize(parse(uri))).toBe(uri);
  },
);
