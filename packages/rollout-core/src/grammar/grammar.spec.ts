import { isAppError } from '@weir/foundation';
import fc from 'fast-check';
import type { ToolDefinition } from '../conversation/message';
import { collectOutput } from '../output/collect-output';
import { createOutputParser } from '../output/output-parser';
import { createToolCallGrammar } from '../families/tool-call-grammar';
import { toolParserNames, type ToolParserName } from '../families/registry';
import { grammarAfterThought } from './grammar-after-thought';
import { createJsonObjectGrammar, createJsonSchemaGrammar } from './schema-grammar';
import { readGrammar, generate, accepts } from './testing/gbnf';
import { isValid, schemas, seeds, tree } from './testing/schema-values';

describe('createJsonSchemaGrammar', () => {
  it('accepts only strings that are JSON and valid for the schema', () => {
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
    'accepts the text %s',
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
  ])('does not accept the text %j', (text) => {
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
  it('accepts only objects', () => {
    expect(accepts(createJsonObjectGrammar(), '{"a": [1.5e3, {"b":null}],"c":{}}')).toBe(true);
    expect(accepts(createJsonObjectGrammar(), '[]')).toBe(false);
  });
});

describe('grammarAfterThought', () => {
  const grammar = grammarAfterThought(createJsonSchemaGrammar({ type: 'integer' }), '</think>');

  it.each(['</think>1', 'Hm, </thi </thin\n<think></think>\n\n12'])('accepts %j', (text) => {
    expect(accepts(grammar, text)).toBe(true);
  });

  it.each(['1', 'Hm.', '</think></think>1', '</think>x'])('does not accept %j', (text) => {
    expect(accepts(grammar, text)).toBe(false);
  });

  it('allows a thought, the end of none, or neither, where the model itself opens one', () => {
    const own = grammarAfterThought(createJsonSchemaGrammar({ type: 'integer' }), '</think>', '<think>');
    const isAccepted = (text: string) => accepts(own, text);
    expect(['1', '</think>1', '<think>Hm.</think>\n1'].filter(isAccepted)).toHaveLength(3);
    expect(['Hm.</think>1', '<think>1', '</think></think>1'].filter(isAccepted)).toEqual([]);
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
  const formats = toolParserNames.filter((name): name is Exclude<ToolParserName, 'none'> => name !== 'none');

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

    it('accepts only strings that the parser reads as calls with valid arguments', () => {
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

    it('accepts only calls of the named tool', () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          expect(read(toText(seed, 'clock', false)).toolCalls?.map((call) => call.name)).toEqual(['clock']);
        }),
        { numRuns: 50 },
      );
    });
  });

  it('allows tags in an XML value, except its own', () => {
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
