import { isAppError } from '@weir/errors';
import fc from 'fast-check';

import type { ToolDefinition } from '../../conversation/message';
import { collectOutput } from '../collect-output';
import { createOutputParser } from '../output-parser';
import { createToolCallGrammar } from '../../families/tool-call-grammar';
import type { ToolParserName } from '../../families/registry';
import { createJsonObjectGrammar, createJsonSchemaGrammar } from './schema-grammar';

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'class'; readonly accepts: (character: string) => boolean; readonly examples: readonly string[] }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number };
type Grammar = ReadonlyMap<string, Node>;

const token = /\s*("(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|[A-Za-z][A-Za-z0-9]*|\{\d+,\d*\}|[()|*?+])/y;

/** An own reading of the grammar language, so that what is written is not judged by what wrote it. */
function readGrammar(gbnf: string): Grammar {
  const lines = gbnf.trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [name, body] = [line.slice(0, line.indexOf(' ::= ')), line.slice(line.indexOf(' ::= ') + 5)];
      expect(name).toMatch(/^[a-z][a-z0-9]*$/);
      return [name, readBody(body)];
    }),
  );
}

function readBody(body: string): Node {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < body.length) {
    const at = token.lastIndex;
    const found = token.exec(body)?.[1];
    if (found === undefined) throw new Error(`This is no grammar: ${body.slice(at)}`);
    tokens.push(found);
  }
  const choice = (): Node => {
    const parts: Node[] = [sequence()];
    while (tokens[0] === '|') {
      tokens.shift();
      parts.push(sequence());
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts };
  };
  const sequence = (): Node => {
    const parts: Node[] = [];
    while (tokens[0] !== undefined && tokens[0] !== '|' && tokens[0] !== ')') parts.push(repeated(item()));
    return { kind: 'sequence', parts };
  };
  const item = (): Node => {
    const first = tokens.shift() ?? '';
    if (first === '(') {
      const inner = choice();
      expect(tokens.shift()).toBe(')');
      return inner;
    }
    if (first.startsWith('"')) return { kind: 'text', text: unescaped(first.slice(1, -1)) };
    if (first.startsWith('[')) return characterClass(first.slice(1, -1));
    return { kind: 'rule', name: first };
  };
  const repeated = (part: Node): Node => {
    const mark = tokens[0] ?? '';
    const counts = /^\{(\d+),(\d*)\}$/.exec(mark);
    if (!'*?+'.includes(mark) && counts === null) return part;
    if (mark === '') return part;
    tokens.shift();
    if (counts !== null) {
      return { kind: 'repeat', part, min: Number(counts[1]), max: counts[2] === '' ? Infinity : Number(counts[2]) };
    }
    return { kind: 'repeat', part, min: mark === '+' ? 1 : 0, max: mark === '?' ? 1 : Infinity };
  };
  const read = choice();
  expect(tokens).toEqual([]);
  return read;
}

function unescaped(text: string): string {
  return text.replace(/\\(x[0-9A-F]{2}|.)/g, (_all, code: string) => {
    if (code.startsWith('x')) return String.fromCharCode(parseInt(code.slice(1), 16));
    return { n: '\n', r: '\r', t: '\t' }[code] ?? code;
  });
}

function characterClass(body: string): Node {
  const isNegated = body.startsWith('^');
  const regex = new RegExp(`^[${body}]$`, 'u');
  const accepts = (character: string) => regex.test(character);
  const examples = [
    'a',
    'é',
    '𝄞',
    '<',
    '/',
    '>',
    'p',
    ' ',
    '\n',
    '0',
    '1',
    '7',
    'e',
    'E',
    '+',
    '-',
    '"',
    '\\',
    'b',
    'n',
    '=',
  ];
  const fitting = examples.filter(accepts);
  if (fitting.length === 0) throw new Error(`No example for ${isNegated ? 'not ' : ''}[${body}]`);
  return { kind: 'class', accepts, examples: fitting };
}

/** The least number of nested rules to come to an end, for each rule. */
function measureCosts(grammar: Grammar): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (let changed = true; changed;) {
    changed = false;
    for (const [name, node] of grammar) {
      const cost = measureCost(node, costs) + 1;
      if (cost < (costs.get(name) ?? Infinity)) {
        costs.set(name, cost);
        changed = true;
      }
    }
  }
  return costs;
}

function measureCost(node: Node, costs: ReadonlyMap<string, number>): number {
  switch (node.kind) {
    case 'rule':
      return costs.get(node.name) ?? Infinity;
    case 'sequence':
      return Math.max(0, ...node.parts.map((part) => measureCost(part, costs)));
    case 'choice':
      return Math.min(...node.parts.map((part) => measureCost(part, costs)));
    case 'repeat':
      return node.min === 0 ? 0 : measureCost(node.part, costs);
    default:
      return 0;
  }
}

/** A string of the grammar; `seed` decides what is chosen. */
function generate(grammar: Grammar, seed: readonly number[]): string {
  const costs = measureCosts(grammar);
  let drawn = 0;
  const draw = (below: number) => (seed[drawn++ % seed.length] ?? 0) % below;
  const write = (node: Node, depth: number): string => {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'class':
        return node.examples[draw(node.examples.length)] ?? '';
      case 'rule':
        return write(toRule(grammar, node.name), depth + 1);
      case 'sequence':
        return node.parts.map((part) => write(part, depth)).join('');
      case 'choice': {
        const cheapest = Math.min(...node.parts.map((part) => measureCost(part, costs)));
        const parts = depth < 12 ? node.parts : node.parts.filter((part) => measureCost(part, costs) === cheapest);
        return write(parts[draw(parts.length)] ?? node, depth);
      }
      case 'repeat': {
        const most = depth < 12 && drawn < 400 ? Math.min(node.max, node.min + 3) : node.min;
        const count = node.min + draw(most - node.min + 1);
        return Array.from({ length: count }, () => write(node.part, depth + 1)).join('');
      }
    }
  };
  return write(toRule(grammar, 'root'), 0);
}

function toRule(grammar: Grammar, name: string): Node {
  const node = grammar.get(name);
  if (node === undefined) throw new Error(`There is no rule ${name}.`);
  return node;
}

function accepts(gbnf: string, text: string): boolean {
  const grammar = readGrammar(gbnf);
  const characters = Array.from(text);
  const known = new Map<string, ReadonlySet<number>>();
  const ends = (node: Node, at: number): ReadonlySet<number> => {
    switch (node.kind) {
      case 'text': {
        const wanted = Array.from(node.text);
        return new Set(
          wanted.every((character, index) => characters[at + index] === character) ? [at + wanted.length] : [],
        );
      }
      case 'class':
        return new Set(at < characters.length && node.accepts(characters[at] ?? '') ? [at + 1] : []);
      case 'rule': {
        const key = `${node.name} ${at}`;
        const found = known.get(key) ?? ends(toRule(grammar, node.name), at);
        known.set(key, found);
        return found;
      }
      case 'sequence':
        return node.parts.reduce<ReadonlySet<number>>((from, part) => after(part, from), new Set([at]));
      case 'choice':
        return new Set(node.parts.flatMap((part) => [...ends(part, at)]));
      case 'repeat':
        return repeats(node, at);
    }
  };
  const after = (part: Node, from: ReadonlySet<number>) => new Set([...from].flatMap((at) => [...ends(part, at)]));
  const repeats = (node: Extract<Node, { kind: 'repeat' }>, at: number): ReadonlySet<number> => {
    const result = new Set<number>(node.min === 0 ? [at] : []);
    let front: ReadonlySet<number> = new Set([at]);
    for (let count = 1; count <= node.max && front.size > 0; count++) {
      front = new Set([...after(node.part, front)].filter((end) => count <= node.min || !result.has(end)));
      if (count >= node.min) front.forEach((end) => result.add(end));
    }
    return result;
  };
  return ends(toRule(grammar, 'root'), 0).has(characters.length);
}

type Schema = Readonly<Record<string, unknown>>;

/** What the keywords that are supported mean, said once more. */
function isValid(value: unknown, schema: unknown, root: Schema): boolean {
  if (schema === true) return true;
  const { $ref, anyOf, type, properties, required, additionalProperties, items, ...bounds } = schema as Schema;
  if (typeof $ref === 'string') return isValid(value, (root.$defs as Schema)[$ref.split('/')[2] ?? ''], root);
  if (Array.isArray(anyOf)) return anyOf.some((choice) => isValid(value, choice, root));
  if ('const' in bounds) return JSON.stringify(value) === JSON.stringify(bounds.const);
  if (Array.isArray(bounds.enum)) return bounds.enum.includes(value);
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((name) => hasType(value, name))) return false;
  if (typeof value === 'string') return fits(Array.from(value).length, bounds.minLength, bounds.maxLength);
  if (typeof value === 'number') return fits(value, bounds.minimum, bounds.maximum);
  if (Array.isArray(value)) {
    return (
      fits(value.length, bounds.minItems, bounds.maxItems) && value.every((item) => isValid(item, items ?? true, root))
    );
  }
  if (typeof value !== 'object' || value === null) return true;
  const known = (properties ?? {}) as Schema;
  return (
    ((required ?? []) as string[]).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, member]) =>
      Object.hasOwn(known, name)
        ? isValid(member, known[name], root)
        : additionalProperties !== false && isValid(member, additionalProperties ?? true, root),
    )
  );
}

function hasType(value: unknown, name: unknown): boolean {
  if (name === 'null') return value === null;
  if (name === 'array') return Array.isArray(value);
  if (name === 'integer') return Number.isInteger(value);
  return typeof value === name && value !== null && !Array.isArray(value);
}

function fits(count: number, min: unknown, max: unknown): boolean {
  return count >= Number(min ?? -Infinity) && count <= Number(max ?? Infinity);
}

const seeds = fc.array(fc.nat(), { minLength: 1, maxLength: 60 });

const leaves: fc.Arbitrary<Schema> = fc.oneof(
  fc.constantFrom<Schema>(
    {},
    { type: 'string', title: 'Name', description: 'a name' },
    { type: 'string', minLength: 2, maxLength: 4 },
    { type: 'string', maxLength: 1 },
    { type: 'string', maxLength: 0 },
    { type: 'integer' },
    { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'number' },
    { type: 'number', minimum: 0 },
    { type: 'boolean' },
    { type: 'null' },
    { type: ['string', 'null', 'integer'] },
    { type: 'object' },
    { type: 'object', properties: {}, additionalProperties: false },
    { $ref: '#/$defs/tree' },
  ),
  fc
    .array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean()), { minLength: 1, maxLength: 3 })
    .map((values) => ({ enum: values })),
  fc.constantFrom<Schema>({ const: { a: ['\n"\\]'] } }, { const: null }),
);

const tree: Schema = {
  type: 'object',
  properties: { value: { type: 'integer' }, left: { anyOf: [{ $ref: '#/$defs/tree' }, { type: 'null' }] } },
  required: ['value'],
};

const { schema: schemas } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaves,
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc
      .tuple(tie('schema'), fc.nat({ max: 2 }), fc.nat({ max: 2 }))
      .map(([items, min, more]) => ({ type: 'array', items, minItems: min, maxItems: min + more })),
    tie('schema').map((items) => ({ type: 'array', items })),
    tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties })),
    fc
      .array(fc.tuple(fc.string({ minLength: 1, maxLength: 4 }), tie('schema'), fc.boolean()), {
        minLength: 1,
        maxLength: 4,
      })
      .map((members) => ({
        type: 'object',
        properties: Object.fromEntries(members.map(([name, schema]) => [`p${name}`, schema])),
        required: [...new Set(members.filter(([, , isRequired]) => isRequired).map(([name]) => `p${name}`))],
      })),
  ),
}));

describe('createJsonSchemaGrammar', () => {
  it('has only strings that are JSON and valid for the schema', () => {
    fc.assert(
      fc.property(schemas, seeds, (given, seed) => {
        const schema = { ...given, $defs: { tree } };
        const gbnf = createJsonSchemaGrammar(schema);
        const text = generate(readGrammar(gbnf), seed);
        expect(isValid(JSON.parse(text), given, schema)).toBe(true);
        expect(text).not.toMatch(/[\n\r\t]/);
      }),
      { numRuns: 400 },
    );
  });

  const person = {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' }, mail: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  };

  it.each(['{"name":"Ada"}', '{"name": "Ada", "mail":"a@b"}', '{"name":"\\"\\u0007é","age":7,"mail":""}'])(
    'has the text %s',
    (text) => {
      expect(accepts(createJsonSchemaGrammar(person), text)).toBe(true);
    },
  );

  it.each([
    '{}',
    '{"age":7,"name":"Ada"}',
    '{"name":"Ada","x":1}',
    '{"name":"Ada",}',
    '{"name":"Ada"} ',
    '{"name":"\n"}',
    '{"name":1}',
  ])('has not the text %j', (text) => {
    expect(accepts(createJsonSchemaGrammar(person), text)).toBe(false);
  });

  it.each<[string, unknown, string]>([
    ['pattern', { type: 'object', properties: { a: { type: 'string', pattern: '^a' } } }, '/properties/a/pattern'],
    ['uniqueItems', { type: 'array', uniqueItems: true }, '/uniqueItems'],
    ['allOf', { allOf: [{ type: 'string' }] }, '/allOf'],
    ['a keyword next to anyOf', { anyOf: [{ type: 'null' }], type: 'null' }, '/type'],
    ['an unknown type', { type: 'date' }, '/type'],
    ['a foreign reference', { $ref: 'https://example.com/a' }, '/$ref'],
    ['a reference to itself', { $ref: '#' }, '/$ref'],
    ['a required property that is not there', { type: 'object', required: ['a'] }, '/required'],
    ['a greatest number', { type: 'integer', maximum: 10 }, '/maximum'],
    ['a great length', { type: 'string', maxLength: 100_000 }, '/maxLength'],
    ['an empty enum', { enum: [] }, '/enum'],
    ['false', false, ''],
    ['no schema', 7, ''],
  ])('refuses %s and names the place', (_case, schema, path) => {
    const refusal = captureRefusal(() => createJsonSchemaGrammar(schema));
    expect(refusal).toMatchObject({ code: 'invalid_request', reason: 'schema_not_supported', details: { path } });
  });

  it('refuses schemas that are too deep or too large', () => {
    let deep: unknown = { type: 'null' };
    for (let depth = 0; depth < 100; depth++) deep = { type: 'array', items: deep };
    const wide = { anyOf: Array.from({ length: 400 }, () => ({ anyOf: Array.from({ length: 400 }, () => ({})) })) };
    expect(captureRefusal(() => createJsonSchemaGrammar(deep))).toMatchObject({ reason: 'schema_not_supported' });
    expect(captureRefusal(() => createJsonSchemaGrammar(wide))).toMatchObject({ reason: 'schema_not_supported' });
  });
});

describe('createJsonObjectGrammar', () => {
  it('has objects and nothing else', () => {
    expect(accepts(createJsonObjectGrammar(), '{"a": [1.5e3, {"b":null}],"c":{}}')).toBe(true);
    expect(accepts(createJsonObjectGrammar(), '[]')).toBe(false);
  });
});

describe('createToolCallGrammar', () => {
  const tools: readonly ToolDefinition[] = [
    {
      name: 'weather',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          days: { type: 'integer' },
          unit: { enum: ['C', 'F'] },
          near: { type: 'array', items: { type: 'number' } },
        },
        required: ['city'],
      },
    },
    { name: 'clock' },
  ];
  const formats: readonly ToolParserName[] = ['hermes', 'qwen3-coder', 'llama3-json', 'mistral', 'deepseek'];

  describe.each(formats)('%s', (toolParser) => {
    const read = (text: string) => {
      const parser = createOutputParser({ toolParser, reasoningParser: 'none', tools, newCallId: () => 'id' });
      return collectOutput([...parser.push(text), ...parser.end()]);
    };
    const toText = (seed: readonly number[], named: string | undefined, parallel: boolean) => {
      const grammar = createToolCallGrammar(toolParser, tools, {
        parallel,
        ...(named !== undefined && { named }),
      });
      return generate(readGrammar(grammar), seed);
    };

    it('has only strings that the parser reads as calls with valid arguments', () => {
      fc.assert(
        fc.property(seeds, fc.boolean(), (seed, parallel) => {
          const { content, toolCalls = [] } = read(toText(seed, undefined, parallel));
          expect(content).toBe('');
          expect(toolCalls.length).toBeGreaterThan(0);
          if (!parallel) expect(toolCalls).toHaveLength(1);
          for (const call of toolCalls) {
            const schema = tools.find((tool) => tool.name === call.name)?.parameters ?? { type: 'object' };
            expect(isValid(JSON.parse(call.arguments), schema, schema)).toBe(true);
          }
        }),
        { numRuns: 150 },
      );
    });

    it('has calls of the named tool alone', () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          expect(read(toText(seed, 'clock', false)).toolCalls?.map((call) => call.name)).toEqual(['clock']);
        }),
        { numRuns: 50 },
      );
    });
  });

  it('lets an XML value hold tags, but not its own', () => {
    const grammar = createToolCallGrammar('qwen3-coder', tools, { named: 'weather', parallel: false });
    const call = (value: string) =>
      `<tool_call>\n<function=weather>\n<parameter=city>\n${value}\n</parameter>\n</function>\n</tool_call>`;
    expect(accepts(grammar, call('<p>a</p> </param <</parameter'))).toBe(true);
    expect(accepts(grammar, call('</parameter>'))).toBe(false);
    expect(accepts(grammar, call('<<parameter=x>'))).toBe(false);
  });

  it('refuses an unknown tool, no tools, and a model without a format', () => {
    expect(
      captureRefusal(() => createToolCallGrammar('hermes', tools, { named: 'rm', parallel: false })),
    ).toMatchObject({
      reason: 'tool_unknown',
    });
    expect(captureRefusal(() => createToolCallGrammar('hermes', [], { parallel: true }))).toMatchObject({
      reason: 'tool_unknown',
    });
    expect(captureRefusal(() => createToolCallGrammar('none', tools, { parallel: true }))).toMatchObject({
      reason: 'tool_choice_not_supported',
    });
  });
});

function captureRefusal(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return isAppError(error) ? error : undefined;
  }
  return undefined;
}
