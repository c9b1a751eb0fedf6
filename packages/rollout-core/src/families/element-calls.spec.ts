import { isAppError } from '@weir/foundation';
import fc from 'fast-check';
import type { Message, ToolDefinition } from '../conversation/message';
import { accepts, generate, readGrammar } from '../grammar/testing/gbnf';
import { isValid, schemas, seeds, tree } from '../grammar/testing/schema-values';
import { collectOutput } from '../output/collect-output';
import { createOutputParser } from '../output/output-parser';
import { createToolCallGrammar } from './tool-call-grammar';

const mark = ']<]minimax[>[';
const element = (name: string, body: string): string => `${mark}<${name}>${body}${mark}</${name}>`;
const callOf = (body: string): string =>
  `${mark}<tool_call>\n${mark}<invoke name="plan">${body}${mark}</invoke>\n${mark}</tool_call>`;
const toolOf = (properties: object, more: object = {}): ToolDefinition => ({
  name: 'plan',
  parameters: { type: 'object', properties, ...more },
});

function read(text: string, tool: ToolDefinition): Message {
  const parser = createOutputParser({
    toolParser: 'minimax-m3',
    reasoningParser: 'none',
    tools: [tool],
    newCallId: () => 'id',
  });
  return collectOutput([...parser.push(text), ...parser.end()]);
}

const argumentsOf = (body: string, tool: ToolDefinition): string | undefined =>
  read(callOf(body), tool).toolCalls?.[0]?.arguments;

describe('arguments that are elements', () => {
  it.each<[string, unknown, string, string]>([
    ['a text without a type', undefined, ' 7 ', '" 7 "'],
    ['a date for an integer', { type: 'integer' }, '2026-11-30', '"2026-11-30"'],
    ['the word null where it may be null', { type: ['integer', 'null'] }, 'null', 'null'],
    ['the word null where it is a text', { type: 'string' }, 'null', '"null"'],
    ['a number as Python prints it', { type: 'number' }, '1e-07', '1e-07'],
    ['a number of an enum without a type', { enum: [1, 2] }, '2', '2'],
    ['JSON for a list', { type: 'array' }, ' ["a", 1] ', '["a", 1]'],
    ['JSON for an object', { type: 'object' }, '{"a": 1}', '{"a": 1}'],
    ['nothing for a list', { type: 'array' }, '\n', '[]'],
    ['nothing for an object or null', { anyOf: [{ type: 'null' }, { type: 'object' }] }, '', '{}'],
    ['nothing for a number or null', { type: ['integer', 'null'] }, '', 'null'],
    ['nothing for a text or a list', { anyOf: [{ type: 'array' }, { type: 'string' }] }, '', '""'],
    ['elements for a text', { type: 'string' }, element('b', 'x'), JSON.stringify(element('b', 'x'))],
    ['a mark in a text', undefined, `a ${mark} b`, JSON.stringify(`a ${mark} b`)],
    ['items without a type', undefined, element('item', '1') + element('item', '2'), '["1", "2"]'],
    ['members without a type', undefined, element('a', element('item', 'x')), '{"a": ["x"]}'],
    ['a member called item', { type: 'object' }, element('item', '1'), '{"item": "1"}'],
    [
      'items of a tuple',
      { prefixItems: [{ type: 'integer' }, { type: 'boolean' }], items: { type: 'null' } },
      element('item', '1') + element('item', 'true') + element('item', 'null'),
      '[1, true, null]',
    ],
    [
      'members that the schema does not name',
      { type: 'object', additionalProperties: { type: 'integer' } },
      element('a', '1') + element('b', '2'),
      '{"a": 1, "b": 2}',
    ],
    [
      'members of one of several objects',
      { oneOf: [{ type: 'object', properties: { a: { type: 'integer' } } }, { $ref: '#/$defs/flag' }] },
      element('a', '1') + element('on', 'true'),
      '{"a": 1, "on": true}',
    ],
    ['lists of lists', { type: 'array' }, element('item', element('item', 'x')), '[["x"]]'],
    [
      'line breaks between elements',
      { type: 'array' },
      `\n${element('item', 'x')}\n${element('item', '')}\n`,
      '["x", ""]',
    ],
  ])('read %s', (_case, schema, body, value) => {
    const tool = toolOf(schema === undefined ? {} : { at: schema }, {
      $defs: { flag: { properties: { on: { type: 'boolean' } } } },
    });
    expect(argumentsOf(element('at', body), tool)).toBe(`{"at": ${value}}`);
  });

  it.each([
    ['a text that ends with its own closing tag', `a${mark}</at>`],
    ['a text with the closing tag of another', `a${mark}</days>${mark}</invoke>b`],
    ['a text that ends with half a mark', 'a]<]mini'],
  ])('keep %s', (_case, text) => {
    const json = argumentsOf(element('at', text) + element('days', '1'), toolOf({ at: { type: 'string' } }));
    expect(JSON.parse(json ?? '')).toEqual({ at: text, days: '1' });
  });

  it.each([
    ['a name that is repeated', element('at', '1') + element('at', '2')],
    ['a text beside elements', element('at', `${element('a', '1')}x`)],
    ['an item among members', element('at', element('a', '1') + element('a', '2'))],
    ['a member among items', element('at', element('item', '1') + element('a', '2'))],
    ['a tag of another name', `${mark}<at>1${mark}</to>`],
    ['a tag without a mark', `<at>1</at>`],
    ['a tag without a name', element('', '1')],
    ['more than 64 levels', [...Array(65).keys()].reduce((body) => element('a', body), 'x')],
  ])('with %s are text', (_case, body) => {
    expect(read(callOf(body), toolOf({}))).toEqual({ role: 'assistant', content: callOf(body) });
  });

  it('of a call may be called item', () => {
    const tool = { name: 'plan', parameters: { $ref: '#/$defs/missing' } };
    expect(argumentsOf(element('item', '1'), tool)).toBe('{"item": "1"}');
  });

  it('have the types of a schema that refers to itself', () => {
    const tool = toolOf({ root: { $ref: '#/$defs/tree' } }, { $defs: { tree } });
    const body = element('root', element('value', '1') + element('left', element('value', '2')));
    expect(argumentsOf(body, tool)).toBe('{"root": {"value": 1, "left": {"value": 2}}}');
  });
});

describe('the grammar of arguments that are elements', () => {
  const grammarOf = (tool: ToolDefinition) => createToolCallGrammar('minimax-m3', [tool], { parallel: false });

  it('accepts only calls that are read with valid arguments', () => {
    let enforced = 0;
    fc.assert(
      fc.property(schemas, seeds, (schema, seed) => {
        const tool = toolOf({ at: schema }, { required: ['at'], $defs: { tree } });
        const gbnf = grammarOrRefusal(() => grammarOf(tool));
        if (typeof gbnf !== 'string') return;
        enforced++;
        const text = generate(readGrammar(gbnf), seed);
        const [call] = read(text, tool).toolCalls ?? [];
        expect(isValid(JSON.parse(call?.arguments ?? 'null'), tool.parameters, { $defs: { tree } })).toBe(true);
      }),
      { numRuns: 600 },
    );
    expect(enforced).toBeGreaterThan(50);
  });

  it('writes objects and lists as elements in the order of the schema', () => {
    const point = { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } }, required: ['x'] };
    const gbnf = grammarOf(toolOf({ path: { type: 'array', items: point, minItems: 1 }, note: { type: 'string' } }));
    const [x, y] = [element('x', '1'), element('y', '-2')];
    expect(accepts(gbnf, callOf(element('path', element('item', x + y) + element('item', x))))).toBe(true);
    expect(accepts(gbnf, callOf(element('note', '</note> ]<] [{"a": 1}]')))).toBe(true);
    expect(accepts(gbnf, callOf(''))).toBe(true);
    expect(accepts(gbnf, callOf(element('path', '')))).toBe(false);
    expect(accepts(gbnf, callOf(element('path', element('item', y + x))))).toBe(false);
    expect(accepts(gbnf, callOf(element('path', '[{"x": 1}]')))).toBe(false);
    expect(accepts(gbnf, callOf(element('note', `a${mark}b`)))).toBe(false);
  });

  it('refuses schemas that are too deep', () => {
    let deep: unknown = { type: 'string' };
    for (let depth = 0; depth < 50_000; depth++) deep = { type: 'array', items: deep };
    expect(grammarOrRefusal(() => grammarOf(toolOf({ at: deep })))).toMatchObject({ reason: 'schema_not_supported' });
  });

  it.each<[string, unknown, string]>([
    ['an object without names', { type: 'object' }, ''],
    ['an object of any names', { type: 'object', additionalProperties: { type: 'string' } }, ''],
    ['a name that no tag can have', { type: 'object', properties: { 'a b': {} } }, '/properties'],
    ['a list or an object', { anyOf: [{ type: 'array' }, { type: 'object', properties: { a: {} } }] }, ''],
    ['a word or a number', { anyOf: [{ const: 'auto' }, { type: 'integer' }] }, ''],
    ['a fixed object', { const: { a: 1 } }, '/const'],
    ['a mark', { enum: [`a${mark}`] }, '/enum'],
  ])('refuses %s and names the place', (_case, schema, at) => {
    const path = `/tools/0/parameters/properties/at${at}`;
    expect(grammarOrRefusal(() => grammarOf(toolOf({ at: schema })))).toMatchObject({
      reason: 'schema_not_supported',
      details: { path },
    });
  });
});

function grammarOrRefusal(make: () => string): unknown {
  try {
    return make();
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}
