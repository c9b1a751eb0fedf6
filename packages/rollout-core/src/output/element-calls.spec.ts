import { listCalls, read, type Given } from './testing/read-answer';

describe('calls with an element for each argument', () => {
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
});
