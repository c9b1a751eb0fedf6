import fc from 'fast-check';
import { collectOutput } from './collect-output';
import type { OutputParserOptions } from './output-parser';
import type { OutputEvent } from './output-event';
import { listCalls, parse, read, type Given } from './testing/read-answer';

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
