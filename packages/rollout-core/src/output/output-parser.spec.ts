import fc from 'fast-check';

import type { Message, ToolDefinition } from '../conversation/message';
import { collectOutput } from './collect-output';
import { createOutputParser, type OutputParserOptions } from './output-parser';
import type { OutputEvent } from './output-event';

const tools: readonly ToolDefinition[] = [
  {
    name: 'weather',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer' },
        scale: { type: 'number' },
        hourly: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        near: { type: ['object', 'null'] },
      },
    },
  },
  { name: 'clock' },
];

type Given = Partial<OutputParserOptions>;

function parse(pieces: readonly string[], given: Given): readonly OutputEvent[] {
  let calls = 0;
  const parser = createOutputParser({
    toolParser: 'hermes',
    reasoningParser: 'none',
    tools,
    newCallId: () => `id${calls++}`,
    ...given,
  });
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
}

function read(text: string, given: Given = {}): Message {
  return collectOutput(parse([text], given));
}

const listCalls = (message: Message) => message.toolCalls?.map((call) => [call.name, call.arguments]) ?? [];

/** Pieces of one kind joined, as their readers do. */
function joined(events: readonly OutputEvent[]): readonly OutputEvent[] {
  const result: OutputEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if ('text' in event && last !== undefined && 'text' in last && last.kind === event.kind) {
      result[result.length - 1] = { ...last, text: last.text + event.text };
    } else {
      result.push(event);
    }
  }
  return result;
}

const samples: Readonly<Record<Exclude<OutputParserOptions['toolParser'], 'none'>, string>> = {
  hermes: 'Let me see.\n<tool_call>\n{"name": "weather", "arguments": {"city": "Köln", "days": 1.0}}\n</tool_call>',
  'qwen3-coder':
    'Let me see.\n<tool_call>\n<function=weather>\n<parameter=city>\nKöln\n</parameter>\n</function>\n</tool_call>',
  'llama3-json': '<|python_tag|>{"name": "weather", "parameters": {"city": "Köln", "days": 1.0}}',
  mistral: 'Let me see.[TOOL_CALLS]weather[ARGS]{"city": "Köln", "days": 1.0}',
  harmony:
    '<|channel|>commentary<|message|>Let me see.<|end|><|start|>assistant<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{"city": "Köln"}<|call|>',
  glm45: 'Let me see.\n<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Köln</arg_value>\n</tool_call>',
  'kimi-k2':
    'Let me see.<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{"city": "Köln"}<|tool_call_end|><|tool_calls_section_end|>',
  gemma4: 'Let me see.<|tool_call>call:weather{city:<|"|>Köln<|"|>,near:{x:[1,true,null]}}<tool_call|>',
  'kimi-k3':
    'Let me see.<|open|>tools<|sep|><|open|>call tool="weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Köln<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>',
  'minimax-m2':
    'Let me see.\n<minimax:tool_call>\n<invoke name="weather">\n<parameter name="city">Köln</parameter>\n</invoke>\n</minimax:tool_call>',
  'minimax-m3':
    'Let me see.]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="weather">]<]minimax[>[<city>Köln]<]minimax[>[</city>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
  'deepseek-dsml':
    'Let me see.\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="weather">\n<｜DSML｜parameter name="city" string="true">Köln</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  'deepseek-dsml-spaced':
    'Let me see.\n\n<｜DSML｜ calls>\n<｜DSML｜ invoke name="weather">\n<｜DSML｜ parameter name="city" string="true">Köln</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n</｜DSML｜ calls>',
  deepseek:
    'Let me see.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{"city": "Köln"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
};
const formats = Object.keys(samples) as (keyof typeof samples)[];

describe('createOutputParser', () => {
  describe('hermes', () => {
    it('emits text, then the call with its arguments as written', () => {
      const message = read(samples.hermes);
      expect(message).toEqual({
        role: 'assistant',
        content: 'Let me see.',
        toolCalls: [{ id: 'id0', name: 'weather', arguments: '{"city": "Köln", "days": 1.0}' }],
      });
    });

    it('parses several calls with text before, between and after them', () => {
      const call = '<tool_call>{"arguments":{ "b":1 },"name":"clock"}</tool_call>';
      const message = read(`One\n${call}\n\ntwo ${call}${call}\nthree\n`);
      expect(listCalls(message)).toEqual([
        ['clock', '{ "b":1 }'],
        ['clock', '{ "b":1 }'],
        ['clock', '{ "b":1 }'],
      ]);
      expect(message.content).toBe('One\n\n\ntwo \nthree');
    });

    it('returns an empty object for a call without arguments', () => {
      expect(listCalls(read('<tool_call>{"name":"clock"}</tool_call>'))).toEqual([['clock', '{}']]);
    });

    it('accepts a call whose closing tag is missing or truncated', () => {
      expect(listCalls(read('<tool_call>{"name":"clock","arguments":{}}\n</tool'))).toEqual([['clock', '{}']]);
    });

    it('parses a call after an invalid one', () => {
      const message = read('<tool_call>{"name":"clock"}<tool_call>{"name":"clock"}</tool_call>');
      expect(message.content).toBe('<tool_call>{"name":"clock"}');
      expect(listCalls(message)).toHaveLength(1);
    });

    it.each([
      ['a tool that is not there', '<tool_call>{"name":"rm","arguments":{}}</tool_call>'],
      ['a cut call', 'So: <tool_call>{"name":"clock","arguments":{"a":"'],
      ['JSON with a raw line break', '<tool_call>{"name":"clock","arguments":{"a":"\n"}}</tool_call>'],
      ['a brace too many', '<tool_call>{"name":"clock","arguments":{}}}</tool_call>'],
      ['no name', '<tool_call>{"arguments":{}}</tool_call>'],
      ['a name that is no text', '<tool_call>{"name":["clock"]}</tool_call>'],
      ['arguments that are no object', '<tool_call>{"name":"clock","arguments":"{}"}</tool_call>'],
      ['two names', '<tool_call>{"name":"clock","name":"weather"}</tool_call>'],
      ['a number that is none', '<tool_call>{"name":"clock","arguments":{"a":01}}</tool_call>'],
      ['text that only begins a tag', 'a <tool_ca'],
    ])('keeps %s as text', (_case, text) => {
      expect(read(text)).toEqual({ role: 'assistant', content: text });
    });

    it('reads nothing without tools', () => {
      expect(read(samples.hermes, { tools: [] }).content).toBe(samples.hermes);
    });

    it('treats calls beyond the maximum number, and arguments beyond the maximum length, as text', () => {
      const call = '<tool_call>{"name":"clock"}</tool_call>';
      expect(read(call + call, { maxCalls: 1 })).toMatchObject({ content: call, toolCalls: [{ name: 'clock' }] });
      expect(read(samples.hermes, { maxArgumentLength: 10 }).content).toBe(samples.hermes);
    });

    it('treats arguments that are nested too deeply as text', () => {
      const text = `<tool_call>{"name":"clock","arguments":{"a":${'['.repeat(500)}${']'.repeat(500)}}}</tool_call>`;
      expect(read(text).content).toBe(text);
    });
  });

  describe('qwen3-coder', () => {
    const call = (body: string) => `<tool_call>\n<function=weather>\n${body}</function>\n</tool_call>`;
    const parameter = (key: string, value: string) => `<parameter=${key}>\n${value}\n</parameter>\n`;
    const readValue = (key: string, value: string) =>
      JSON.parse(listCalls(read(call(parameter(key, value)), { toolParser: 'qwen3-coder' }))[0]?.[1] ?? '') as unknown;

    it.each([
      ['city', '12', '12'],
      ['city', '\n two\nlines \n', '\n two\nlines \n'],
      ['days', '12', 12],
      ['days', 'soon', 'soon'],
      ['scale', '-1.5e2', -150],
      ['hourly', 'True', true],
      ['tags', '["a", "b"]', ['a', 'b']],
      ['tags', '[a]', '[a]'],
      ['near', '{"x": 1}', { x: 1 }],
      ['near', 'null', null],
      ['unknown', '1', '1'],
    ])('converts %s written as %j to the value %j', (key, value, expected) => {
      expect(readValue(key, value)).toEqual({ [key]: expected });
    });

    it('reads a call without parameters and one without outer tags', () => {
      expect(listCalls(read(call(''), { toolParser: 'qwen3-coder' }))).toEqual([['weather', '{}']]);
      const bare = `<function=weather>${parameter('days', '2')}${parameter('city', 'a<b')}</function>`;
      expect(listCalls(read(bare, { toolParser: 'qwen3-coder' }))).toEqual([['weather', '{"days": 2, "city": "a<b"}']]);
    });

    it.each([
      ['a parameter inside another', call('<parameter=city>\na\n<parameter=days>\n2\n</parameter>\n')],
      ['the same parameter twice', call(parameter('city', 'a') + parameter('city', 'b'))],
      ['a cut value', '<tool_call>\n<function=weather>\n<parameter=city>\nParis'],
      ['JSON', '<tool_call>\n{"name":"weather"}\n</tool_call>'],
    ])('keeps %s as text', (_case, text) => {
      expect(read(text, { toolParser: 'qwen3-coder' })).toEqual({ role: 'assistant', content: text });
    });
  });

  describe('llama3-json', () => {
    const given: Given = { toolParser: 'llama3-json' };

    it.each([
      ['{"name": "clock", "parameters": {"a": 1}}', 1],
      ['\n<|python_tag|>{"name": "clock", "parameters": {"a": 1}}', 1],
      ['{"name": "clock", "parameters": {}}; {"name": "clock", "arguments": {}}', 2],
      ['{"type": "function", "name": "clock", "parameters": {}}\n{"name": "clock", "parameters": {}}', 2],
    ])('reads %s', (text, count) => {
      const message = read(text, given);
      expect(message.content).toBe('');
      expect(message.toolCalls).toHaveLength(count);
    });

    it.each(['{"answer": 42}', 'Use {"name": "clock", "parameters": {}}', '<|python_tag|>print(1)', '{'])(
      'keeps %s as text',
      (text) => {
        expect(read(text, given)).toEqual({ role: 'assistant', content: text });
      },
    );
  });

  describe('mistral', () => {
    it.each([
      ['[TOOL_CALLS] [{"name": "clock", "arguments": {}, "id": "abcdefghi"}, {"arguments": {}, "name": "clock"}]', 2],
      ['[TOOL_CALLS]clock[ARGS]{}[TOOL_CALLS]clock[ARGS]{"a": [1]}', 2],
      ['[TOOL_CALLS]clock[CALL_ID]abcdefghi[ARGS]{}', 1],
      ['[TOOL_CALLS]clock{}', 1],
    ])('reads %s', (text, count) => {
      const message = read(text, { toolParser: 'mistral' });
      expect(message.content).toBe('');
      expect(message.toolCalls).toHaveLength(count);
    });

    it('retains the calls before a truncated one', () => {
      const message = read('[TOOL_CALLS][{"name": "clock"}, {"name": "clo', { toolParser: 'mistral' });
      expect(message.toolCalls).toHaveLength(1);
      expect(message.content).toBe('{"name": "clo');
    });
  });

  describe('deepseek', () => {
    it('reads calls in both forms', () => {
      const text =
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>clock\n```json\n{"a": 1}\n```<｜tool▁call▁end｜>\n' +
        '<｜tool▁call▁begin｜>clock<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>';
      const message = read(text, { toolParser: 'deepseek' });
      expect(listCalls(message)).toEqual([
        ['clock', '{"a": 1}'],
        ['clock', '{}'],
      ]);
      expect(message.content).toBe('');
    });
  });

  describe('harmony', () => {
    const given: Given = { toolParser: 'harmony', reasoningParser: 'harmony' };
    const next = '<|end|><|start|>assistant';
    const thought = '<|channel|>analysis<|message|>Hm.';

    it.each([
      [
        'a recipient after the channel',
        '<|channel|>commentary to=functions.clock <|constrain|>json<|message|>{}<|call|>',
      ],
      ['a recipient in the role', ' to=functions.clock<|channel|>commentary json<|message|>{}'],
      ['a thought before it', `${thought}${next} to=functions.clock<|channel|>commentary json<|message|>{}<|call|>`],
      ['the channel of thoughts', '<|channel|>analysis to=functions.clock code<|message|>{}<|call|>'],
      ['no prefix', '<|channel|>commentary to=clock<|message|> {}'],
    ])('reads a call with %s', (_case, text) => {
      const message = read(text, given);
      expect([listCalls(message), message.content]).toEqual([[['clock', '{}']], '']);
    });

    it('joins the thoughts and the texts of an answer', () => {
      const texts = [
        '<|channel|>commentary<|message|>First, ',
        '<|channel|>final<|message|>then <|channel|>.<|return|>',
      ];
      expect(read([thought, thought, ...texts].join(next), given)).toEqual({
        role: 'assistant',
        reasoning: 'Hm.\nHm.',
        content: 'First, \nthen <|channel|>.',
      });
    });

    it('does not end the arguments of a call at a mark in a string', () => {
      const json = '{"a": "<|end|><|start|>assistant<|channel|>analysis<|message|>"}';
      const message = read(
        `<|channel|>commentary to=functions.clock <|constrain|>json<|message|>${json}<|call|>`,
        given,
      );
      expect([listCalls(message), message.reasoning]).toEqual([[['clock', json]], undefined]);
    });

    it.each([
      ['an answer without messages', '{"a": 1}'],
      ['text that begins like a recipient', ' to be'],
      ['a call to no tool', '<|channel|>commentary to=functions.rm <|constrain|>json<|message|>{}<|call|>'],
      ['a header that is no header', '<|channel|>final<|channel|>x'],
    ])('keeps %s as text', (_case, text) => {
      expect(read(text, given)).toEqual({ role: 'assistant', content: text });
    });

    it('reads calls in an answer without tools as text, and thoughts nevertheless', () => {
      const call = '<|channel|>commentary to=functions.clock <|constrain|>json<|message|>{}<|call|>';
      expect(read(`${thought}${next}${call}`, { ...given, tools: [] })).toEqual({
        role: 'assistant',
        reasoning: 'Hm.',
        content: `<|start|>assistant${call}`,
      });
    });
  });

  describe('kimi-k2', () => {
    const call = (id: string) => `<|tool_call_begin|>${id}<|tool_call_argument_begin|>{}<|tool_call_end|>`;
    const section = (...ids: readonly string[]) =>
      `<|tool_calls_section_begin|>${ids.map(call).join('')}<|tool_calls_section_end|>`;
    const given: Given = { toolParser: 'kimi-k2', reasoningParser: 'kimi-k2' };

    it('keeps the ids of the model, by which the template names results, except repeated ones', () => {
      const { toolCalls = [] } = read(section('functions.clock:3', 'functions.clock:3', 'clock'), given);
      expect(toolCalls.map(({ id, name }) => [id, name])).toEqual([
        ['functions.clock:3', 'clock'],
        ['id0', 'clock'],
        ['clock', 'clock'],
      ]);
    });

    it('ends a thought that was not closed where the calls begin', () => {
      expect(read(`<think>Hm.${section('functions.clock:0')}`, given)).toMatchObject({
        reasoning: 'Hm.',
        content: '',
        toolCalls: [{ name: 'clock' }],
      });
    });
  });

  describe('gemma4', () => {
    const given: Given = { toolParser: 'gemma4', reasoningParser: 'gemma4' };
    const call = (body: string) => `<|tool_call>call:weather{${body}}<tool_call|>`;

    it.each([
      ['strings with marks of values in them', 'city:<|"|>a,b}"\n<|<|"|>', '{"city": "a,b}\\"\\n<|"}'],
      ['numbers as written', 'days:1.0,scale:-2e-05', '{"days": 1.0, "scale": -2e-05}'],
      [
        'lists, objects and null, also of Python',
        'tags:[<|"|>a<|"|>,<|"|>b<|"|>],near:{x:null,y:None}',
        '{"tags": ["a", "b"], "near": {"x": null, "y": null}}',
      ],
      ['keys with quotes and spaces', '<|"|>city<|"|> : <|"|>x<|"|> , days: 3', '{"city": "x", "days": 3}'],
      ['text without quotes', 'city:Oslo', '{"city": "Oslo"}'],
      ['no arguments', '', '{}'],
    ])('reads %s', (_case, body, json) => {
      expect(listCalls(read(call(body), given))).toEqual([['weather', json]]);
    });

    it.each(['city', 'city:', 'city:<|"|>a', 'city:<|tool_call>', `city:${'['.repeat(90)}`])(
      'keeps a call with %j as text',
      (body) => {
        expect(read(call(body), given)).toEqual({ role: 'assistant', content: call(body) });
      },
    );

    it('reads the channel of thoughts', () => {
      const message = read(`<|channel>thought\nHm.\n<channel|>${call('')}`, given);
      expect(message).toMatchObject({ reasoning: 'Hm.', content: '', toolCalls: [{ name: 'weather' }] });
    });
  });

  describe('kimi-k3', () => {
    const given: Given = { toolParser: 'kimi-k3', reasoningParser: 'kimi-k3' };
    const element = (tag: string, body: string) =>
      `<|open|>${tag}<|sep|>${body}<|close|>${tag.split(' ')[0] ?? ''}<|sep|>`;
    const inTools = (body: string) => element('tools', element('call tool="clock" index="1"', body));

    it.each([
      [
        'values by their type',
        element('argument key="a" type="string"', '1') + element('argument key="b" type="number"', '1'),
        '{"a": "1", "b": 1}',
      ],
      ['names with escapes', element('argument key="a&quot;&amp;" type="null"', 'null'), '{"a\\"&": null}'],
      ['arguments in one block', element('json type="object"', '{"a":[1]}'), '{"a":[1]}'],
      ['no arguments', '', '{}'],
      [
        'marks of elements in a value',
        element('argument key="a" type="string"', '<|close|>tools<|sep|><|close|>argument<|sep|>x'),
        '{"a": "<|close|>tools<|sep|><|close|>argument<|sep|>x"}',
      ],
    ])('reads %s', (_case, body, json) => {
      const text = `Hm.<|close|>think<|sep|>${element('response', 'So:')}${inTools(body)}<|close|>message<|sep|>`;
      const message = read(text, given);
      expect([message.reasoning, message.content, listCalls(message)]).toEqual(['Hm.', 'So:', [['clock', json]]]);
    });

    it('reads an answer without thoughts, whose text the prompt opened', () => {
      const text = 'Hello<|close|>response<|sep|><|close|>message<|sep|>';
      expect(read(text, { ...given, startsInReasoning: false })).toEqual({ role: 'assistant', content: 'Hello' });
    });
  });

  describe('values without quotes', () => {
    const inGlm = (value: string) =>
      `<tool_call>weather<arg_key>city</arg_key><arg_value>${value}</arg_value></tool_call>`;

    it.each(['</arg_value>', 'a</arg_value></arg_value> <arg_', '</arg_value>\n', '\n'])('may be %j', (value) => {
      const [, json] = listCalls(read(inGlm(value), { toolParser: 'glm45' }))[0] ?? [];
      expect(JSON.parse(json ?? '')).toEqual({ city: value });
    });

    it('are JSON or text as their mark says', () => {
      const parameter = (isString: boolean) =>
        `<｜DSML｜parameter name="a" string="${isString}">1</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>`;
      const values = [true, false].map((isString) =>
        listCalls(
          read(`<｜DSML｜tool_calls><｜DSML｜invoke name="clock">${parameter(isString)}`, {
            toolParser: 'deepseek-dsml',
          }),
        ),
      );
      expect(values).toEqual([[['clock', '{"a": "1"}']], [['clock', '{"a": 1}']]]);
    });

    it.each([
      ['glm45', '<tool_call>weather<arg_key>city</arg_key><arg_value>Oslo</arg_value>'],
      ['minimax-m2', '<minimax:tool_call></minimax:tool_call>'],
      ['minimax-m2', '<minimax:tool_call><invoke name="weather"><parameter name="city">Oslo</parameter>'],
    ] as const)('in %s are text where no call ends: %s', (toolParser, text) => {
      expect(read(text, { toolParser })).toEqual({ role: 'assistant', content: text });
    });
  });

  describe('reasoning', () => {
    it.each<[string, string, Given, string | undefined, string]>([
      ['a block', '<think>\nHm.\n</think>\n\nHello', { reasoningParser: 'qwen3' }, 'Hm.', 'Hello'],
      ['an empty block', '<think>\n\n</think>\n\nHello', { reasoningParser: 'qwen3' }, undefined, 'Hello'],
      ['no block', '\nHello <think>', { reasoningParser: 'qwen3' }, undefined, '\nHello <think>'],
      ['a block that the prompt opened', 'Hm. </think>Hello', { reasoningParser: 'deepseek-r1' }, 'Hm.', 'Hello'],
      ['a block opened twice', '<think>Hm.</think>Hello', { reasoningParser: 'deepseek-r1' }, 'Hm.', 'Hello'],
      ['an unclosed block', '<think>Hm.</thi', { reasoningParser: 'qwen3' }, 'Hm.</thi', ''],
      ['a started block', 'Hm.</think>Hello', { reasoningParser: 'qwen3', startsInReasoning: true }, 'Hm.', 'Hello'],
      [
        'a mark of no thought',
        '\n</mm:think>\nHello </mm:think>',
        { reasoningParser: 'minimax-m3' },
        undefined,
        'Hello </mm:think>',
      ],
      [
        'a block that may be left out',
        '<mm:think>Hm.</mm:think>Hello',
        { reasoningParser: 'minimax-m3' },
        'Hm.',
        'Hello',
      ],
      [
        'a started block that is empty',
        '</mm:think>Hello',
        { reasoningParser: 'minimax-m3', startsInReasoning: true },
        undefined,
        'Hello',
      ],
      ['half a mark', '</mm:th', { reasoningParser: 'minimax-m3' }, undefined, '</mm:th'],
      ['the tags of Mistral', '[THINK]Hm.[/THINK]Hello', { reasoningParser: 'mistral-think' }, 'Hm.', 'Hello'],
      ['no parser', '<think>Hm.</think>Hello', {}, undefined, '<think>Hm.</think>Hello'],
    ])('reads %s', (_case, text, given, reasoning, content) => {
      const message = read(text, given);
      expect(message.reasoning).toBe(reasoning);
      expect(message.content).toBe(content);
    });

    it('parses no calls inside the block, but those after it', () => {
      const call = '<tool_call>{"name":"clock"}</tool_call>';
      const message = read(`<think>${call}</think>\n${call}`, { reasoningParser: 'qwen3' });
      expect(message).toMatchObject({ reasoning: call, content: '', toolCalls: [{ name: 'clock' }] });
    });

    it('ignores the tags in the arguments of a call', () => {
      const text = '<tool_call>{"name":"clock","arguments":{"a":"<think>b</think>"}}</tool_call>';
      expect(listCalls(read(text, { reasoningParser: 'qwen3' }))).toEqual([['clock', '{"a":"<think>b</think>"}']]);
    });
  });

  describe('a call in pieces', () => {
    it('is held back until it is complete', () => {
      const events = parse(['<tool_call>{"name":"clock","arguments":{"a', '":1', '}}</tool_call>'], {});
      expect(events).toEqual([
        { kind: 'call_started', index: 0, id: 'id0', name: 'clock' },
        { kind: 'call_arguments', index: 0, text: '{"a":1}' },
        { kind: 'call_ended', index: 0 },
      ]);
    });

    it('is text if it is broken or never finished', () => {
      for (const text of [
        '<tool_call>{"name":"clock","arguments":{"a":1}}}</tool_call>',
        '<tool_call>{"name":"clock","arguments":{"a":1',
      ]) {
        expect(collectOutput(parse(Array.from(text), {}))).toEqual({ role: 'assistant', content: text });
      }
    });
  });

  describe.each(formats)('%s in chunks', (toolParser) => {
    const fragments = fc.oneof(
      fc.constantFrom(...Object.values(samples)),
      fc.constant(samples[toolParser]),
      fc
        .tuple(fc.nat({ max: 80 }), fc.nat({ max: 80 }))
        .map(([from, to]) => samples[toolParser].slice(0, from) + samples[toolParser].slice(to)),
      fc.constantFrom('<think>', '</think>', '\n', ' ', '<tool_call>', '</tool_call>', '{', '}', '[', ']', '"', ','),
      fc.constantFrom('{"name":"clock"}', '"arguments":', '<function=clock>', '</function>', '[TOOL_CALLS]', '[ARGS]'),
      fc.constantFrom(
        '<parameter=a>',
        '</parameter>',
        ';',
        '<|python_tag|>',
        '<｜tool▁call▁begin｜>',
        'clock',
        '<',
        '\\',
      ),
      fc.constantFrom(
        '<｜tool▁calls▁begin｜>',
        '<｜tool▁sep｜>',
        '<｜tool▁call▁end｜>',
        '```json',
        '<｜tool▁calls▁end｜>',
      ),
      fc.constantFrom(
        '<|start|>assistant',
        ' to=',
        '<|channel|>',
        'analysis',
        'final',
        '<|message|>',
        '<|end|>',
        '<|call|>',
      ),
      fc.constantFrom(']<]minimax[>[<city>', ']<]minimax[>[</city>', ']<]minimax[>[', '<mm:think>', '</mm:think>'),
      fc.string({ maxLength: 6, unit: 'binary' }),
    );
    const answers = fc.array(fragments, { maxLength: 12 }).map((parts) => parts.join(''));
    const cuts = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 40 });

    const pieces = (text: string, positions: readonly number[]) => {
      const sorted = [...new Set([0, ...positions, text.length])].sort((left, right) => left - right);
      return sorted.map((position, index) => text.slice(position, sorted[index + 1] ?? text.length));
    };

    it('emits the same for any split of the text', () => {
      fc.assert(
        fc.property(
          answers,
          cuts,
          fc.constantFrom('none', 'qwen3', 'deepseek-r1', 'kimi-k2', 'kimi-k3', 'minimax-m3', 'harmony'),
          (text, positions, reasoning) => {
            const bounds = text.length % 2 === 0 ? { maxCalls: 2, maxArgumentLength: 20 } : {};
            const given: Given = { toolParser, reasoningParser: reasoning, ...bounds };
            const atOnce = joined(parse([text], given));
            expect(joined(parse(pieces(text, positions), given))).toEqual(atOnce);
            expect(joined(parse(Array.from(text), given))).toEqual(atOnce);
          },
        ),
        { numRuns: 300 },
      );
    });

    it('ends every call it starts, with an object as arguments, and never emits empty text', () => {
      fc.assert(
        fc.property(answers, (text) => {
          const events = parse([text], { toolParser });
          const ids = (kind: OutputEvent['kind']) => events.filter((event) => event.kind === kind).length;
          expect(ids('call_started')).toBe(ids('call_ended'));
          expect(events.some((event) => 'text' in event && event.text === '')).toBe(false);
          for (const call of collectOutput(events).toolCalls ?? []) {
            expect(typeof JSON.parse(call.arguments)).toBe('object');
          }
        }),
        { numRuns: 300 },
      );
    });

    it('keeps text without a call unchanged', () => {
      fc.assert(
        fc.property(answers, (text) => {
          const message = read(text, { toolParser });
          if (message.toolCalls === undefined) expect(message.content).toBe(text);
        }),
        { numRuns: 300 },
      );
    });

    it('reads its own form', () => {
      expect(read(samples[toolParser], { toolParser }).toolCalls).toHaveLength(1);
    });

    // In quadratic time it would far exceed the time limit of a case.
    it('parses hostile text in linear time', () => {
      const unit = samples[toolParser].slice(0, -8);
      const long = unit.repeat(Math.ceil(400_000 / unit.length));
      expect(() => parse(Array.from(long), { toolParser })).not.toThrow();
    });
  });
});
