import { bodyText, answered, refused, type BodyFields, type HostileRequest } from './hostile-request';

/** Bodies that are invalid for every operation. `maxBodyBytes`: the server's limit, if it can be exceeded. */
export function hostileBodies(base: BodyFields, maxBodyBytes: number | undefined): HostileRequest[] {
  const good = bodyText(base);
  return [
    ...notJson(good),
    ...wrongBytes(good),
    ...wrongHeaders(good),
    ...strangeNames(base),
    ...nested(base),
    answered('starts with a byte order mark', Buffer.from(`\ufeff${good}`)),
    answered('names a field twice', good.replace('{', '{"model":"first",')),
    answered('is mostly spaces', `${' '.repeat(100_000)}${good}`),
    ...(maxBodyBytes === undefined
      ? []
      : [
          refused('is larger than the limit', `${good}${' '.repeat(maxBodyBytes)}`),
          refused('is larger than the limit in one text', bodyText({ ...base, user: `"${'a'.repeat(maxBodyBytes)}"` })),
        ]),
  ];
}

function notJson(good: string): HostileRequest[] {
  const texts: Readonly<Record<string, string>> = {
    'is empty': '',
    'is null': 'null',
    'is a number': '7',
    'is a string': '"hello"',
    'is a list': '[]',
    'is a list of bodies': `[${good}]`,
    'is an empty object': '{}',
    'is cut off': good.slice(0, -10),
    'has one bracket too many': `${good}}`,
    'is there twice': good + good,
    'has a comma at its end': good.replace(/}$/, ',}'),
    'has a comment': `// hello\n${good}`,
    'has single quotes': good.replaceAll('"', "'"),
    'holds NaN': good.replace('{', '{"temperature":NaN,'),
    'holds a hexadecimal number': good.replace('{', '{"temperature":0x10,'),
    'holds a number with a leading zero': good.replace('{', '{"temperature":01,'),
    'holds a raw line break in a string': good.replace('{', '{"user":"a\nb",'),
    'holds a broken escape': good.replace('{', '{"user":"\\u12",'),
    'is a form': 'model=m&messages=hello',
    'is XML': '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  };
  return Object.entries(texts).map(([name, text]) => refused(name, text));
}

function wrongBytes(good: string): HostileRequest[] {
  const withBytes = (...bytes: readonly number[]): Uint8Array =>
    Buffer.concat([Buffer.from(good.replace(/}$/, ',"user":"')), Buffer.from(bytes), Buffer.from('"}')]);
  return [
    refused('holds a byte that no UTF-8 has', withBytes(0xff)),
    refused('holds a character that was cut', withBytes(0xe2, 0x82)),
    refused('holds an overlong slash', withBytes(0xc0, 0xaf)),
    refused('holds half a surrogate pair in bytes', withBytes(0xed, 0xa0, 0x80)),
    refused('holds a code point beyond the last', withBytes(0xf4, 0x90, 0x80, 0x80)),
    refused('is UTF-16', Buffer.from(good, 'utf16le')),
    refused('is not text at all', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])),
  ];
}

function wrongHeaders(good: string): HostileRequest[] {
  return [
    refused('is said to be a form', good, { 'content-type': 'application/x-www-form-urlencoded' }),
    refused('is said to be plain text', good, { 'content-type': 'text/plain' }),
    refused('is said to be in another encoding', good, { 'content-type': 'application/json; charset=utf-16' }),
    refused('is said to be compressed and is not', good, { 'content-encoding': 'gzip' }),
    refused('is said to be compressed in an unknown way', good, { 'content-encoding': 'zpaq' }),
    refused('has a key that was never given', good, { authorization: 'Bearer forged' }),
    refused('has a key that is no text', good, { authorization: 'Bearer \u00e9\u00ff' }),
    refused('has an endless key', good, { authorization: `Bearer ${'k'.repeat(6000)}` }),
    refused('has credentials of another kind', good, { authorization: 'Basic YTpi' }),
    refused('has a name that is too long to be repeated under', good, { 'idempotency-key': 'k'.repeat(300) }),
  ];
}

/** Names that every object answers to, and names that no parameter has. */
function strangeNames(base: BodyFields): HostileRequest[] {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', ' ', 'Model', '\u0000'];
  return [
    ...names.map((name) =>
      refused(`has a field named ${JSON.stringify(name)}`, bodyText({ ...base, [name]: '{"a":1}' })),
    ),
    refused('has a field with an endless name', bodyText({ ...base, ['n'.repeat(100_000)]: '1' })),
    refused('has ten thousand unknown fields', bodyText({ ...base, ...manyFields(10_000) })),
    refused('tries to reach all objects', bodyText({ ...base, constructor: '{"prototype":{"isAdmin":true}}' })),
  ];
}

function manyFields(count: number): BodyFields {
  return Object.fromEntries(Array.from({ length: count }, (_none, index) => [`field_${index}`, '1']));
}

function nested(base: BodyFields): HostileRequest[] {
  const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
  return [
    refused('is nested deeper than anything is', bodyText({ ...base, metadata: lists(200) })),
    refused('is nested deeper than a stack', bodyText({ ...base, metadata: lists(100_000) })),
    refused('is nested deeper than a stack in objects', bodyText({ ...base, metadata: objects(100_000) })),
    refused('opens brackets and never closes them', '['.repeat(200_000)),
  ];
}
