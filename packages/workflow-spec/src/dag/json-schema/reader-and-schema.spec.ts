import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { parseAllDocuments, stringify } from 'yaml';
import { dagKind } from '../../keys/dag-keys/dag-kind';
import { findingExamples } from '../../source/findings/catalogue/finding-examples';
import { parseDag } from '../document/parse-dag';
import { hasErrors } from '../../source/findings/format-finding';
import { stepKind } from '../../keys/step-keys/step-kind';
import { dagSchema } from './dag-schema';

const validate: ValidateFunction = new Ajv({ strict: false, allErrors: false, strictNumbers: false }).compile(
  dagSchema(),
);

/** Why the schema rejects the documents of a file; empty when it accepts them. */
function refusals(text: string): readonly string[] {
  return parseDocuments(text).flatMap((document) => {
    if (validate(document)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
  });
}

function parseDocuments(text: string): readonly unknown[] {
  const documents = parseAllDocuments(text, { version: '1.2', schema: 'core', merge: true });
  if (!Array.isArray(documents)) return [];
  // Serialized, because a JSON Schema applies to JSON.
  const values = documents.map((document) => JSON.parse(JSON.stringify(document.toJS() ?? null)) as unknown);
  return values.filter((value) => value !== null);
}

const goods = Object.entries(findingExamples).map(([code, { good }]) => [code, good] as const);

const page = readFileSync(path.resolve(__dirname, '../../../../../docs/language.md'), 'utf8');
const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(
  ([, text = '']) => [text.split('\n')[0], text] as const,
);

describe('the schema accepts', () => {
  it.each(goods)('the good example of %s', (_, good) => {
    expect(refusals(good)).toEqual([]);
  });

  it.each(examples)('the example of the language that begins with "%s", like the reader', (_, text) => {
    expect(parseDag(text).findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(refusals(text)).toEqual([]);
  });
});

type Json = null | string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

const corpus = [...goods.map(([, text]) => text), ...examples.map(([, text]) => text)]
  .flatMap(parseDocuments)
  // Each document was parsed from JSON.
  .map((document) => document as Json);

const spellings = new Map<string, readonly string[]>();
for (const { spellings: from } of [stepKind, dagKind]) {
  for (const [, name] of from) {
    spellings.set(
      name,
      [...from].filter(([, target]) => target === name).map(([spelling]) => spelling),
    );
  }
}

const otherValues: readonly Json[] = [
  ...[null, '', 'a', 'text with spaces', '5', '1.5', 'true', '${params.x}', '$X', '0 3 * * *', '10s', 'success'],
  ...[0, 1, 5, -1, 1.5, 1e21, true, false],
  ...[[], ['a'], [1], [['a']], [{ a: 'b' }], {}, { a: 'b' }, { a: 1 }, { a: null }],
];

interface Change {
  readonly at: number;
  readonly kind: 'replace' | 'wrap' | 'unwrap' | 'respell' | 'drop' | 'number as text';
  readonly pick: number;
}

const change = fc.record<Change>({
  at: fc.nat(200),
  kind: fc.constantFrom('replace', 'replace', 'wrap', 'unwrap', 'respell', 'respell', 'drop', 'number as text'),
  pick: fc.nat(1000),
});

/** Changes the `at`-th value, modulo the number of values. */
function changed(value: Json, { at, kind, pick }: Change): Json {
  let left = at % countValues(value);
  const visit = (inner: Json): Json => {
    if (left === 0) {
      left = -1;
      return changedHere(inner, kind, pick);
    }
    left -= 1;
    if (Array.isArray(inner)) return inner.map((each: Json) => visit(each));
    if (!isMap(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, each]) => [key, visit(each)]));
  };
  return visit(value);
}

function changedHere(value: Json, kind: Change['kind'], pick: number): Json {
  switch (kind) {
    case 'replace':
      return otherValues[pick % otherValues.length] ?? null;
    case 'wrap':
      return [value];
    case 'unwrap':
      return Array.isArray(value) ? ((value as readonly Json[])[0] ?? null) : value;
    case 'number as text':
      return typeof value === 'number' ? String(value) : value;
    case 'respell':
    case 'drop':
      return isMap(value) ? changedKey(value, kind, pick) : value;
  }
}

function changedKey(map: Readonly<Record<string, Json>>, kind: 'respell' | 'drop', pick: number): Json {
  const keys = Object.keys(map);
  const chosen = keys[pick % Math.max(keys.length, 1)];
  const others = spellings.get(chosen ?? '') ?? [chosen ?? ''];
  return Object.fromEntries(
    Object.entries(map).flatMap(([key, value]) => {
      if (key !== chosen) return [[key, value] as const];
      return kind === 'drop' ? [] : [[others[pick % others.length] ?? key, value] as const];
    }),
  );
}

function countValues(value: Json): number {
  const inner = Array.isArray(value) ? (value as readonly Json[]) : isMap(value) ? Object.values(value) : [];
  return inner.reduce<number>((sum, each) => sum + countValues(each), 1);
}

function isMap(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('a file in any form', () => {
  it('is accepted by the schema when the reader finds no error in it', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.nat(corpus.length - 1), fc.array(change, { maxLength: 4 }), (index, changes) => {
        const text = stringify(changes.reduce(changed, corpus[index] ?? null));
        if (hasErrors(parseDag(text).findings)) return;
        accepted += 1;
        expect({ text, refused: refusals(text) }).toEqual({ text, refused: [] });
      }),
      { numRuns: 1200 },
    );
    // Otherwise the property would prove nothing.
    expect(accepted).toBeGreaterThan(250);
  });
});
