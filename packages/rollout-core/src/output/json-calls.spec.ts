import { listCalls, read, type Given } from './testing/read-answer';

describe('calls with arguments in JSON', () => {
  describe('hermes', () => {
    const answer =
      'Let me see.\n<tool_call>\n{"name": "weather", "arguments": {"city": "Köln", "days": 1.0}}\n</tool_call>';

    it('emits text, then the call with its arguments as written', () => {
      const message = read(answer);
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
      expect(read(answer, { tools: [] }).content).toBe(answer);
    });

    it('treats calls beyond the maximum number, and arguments beyond the maximum length, as text', () => {
      const call = '<tool_call>{"name":"clock"}</tool_call>';
      expect(read(call + call, { maxCalls: 1 })).toMatchObject({ content: call, toolCalls: [{ name: 'clock' }] });
      expect(read(answer, { maxArgumentLength: 10 }).content).toBe(answer);
    });

    it('treats arguments that are nested too deeply as text', () => {
      const text = `<tool_call>{"name":"clock","arguments":{"a":${'['.repeat(500)}${']'.repeat(500)}}}</tool_call>`;
      expect(read(text).content).toBe(text);
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

    it('accepts a section whose end is missing or truncated', () => {
      const text = section('functions.clock:0');
      for (const cut of [text.replace('<|tool_calls_section_end|>', '\n'), text.slice(0, -5)]) {
        expect(read(cut, given)).toMatchObject({ content: '', toolCalls: [{ name: 'clock' }] });
      }
    });
  });
});
