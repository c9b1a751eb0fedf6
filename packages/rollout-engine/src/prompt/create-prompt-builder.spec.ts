import { compareWithRender, type Message } from '@weir/rollout-core';
import fc from 'fast-check';
import type { TestFamilyName } from '../testing/test-families';
import { joinIds } from '../tokenizer/join-ids';
import type { Tokenizer } from '../tokenizer/tokenizer';
import type { PromptBuilderOptions } from './create-prompt-builder';
import type { ParentCompletion, PromptInput } from './prompt-builder';
import { answer, build, familyNames, input, toParent, user, weather } from './testing/family-prompts';

const askedWeather: Message = {
  ...answer(''),
  toolCalls: [{ id: 'callnum01', name: 'weather', arguments: '{"place": "Oslo"}' }],
};

/** Each byte is one token, which the tokenizer would never give for a longer word. */
const byteIds = (text: string, tokenizer: Tokenizer): Int32Array => {
  const ids = new Map(Array.from({ length: 256 }, (_, id) => [tokenizer.tokenBytes(id)[0] ?? 0, id]));
  return Int32Array.from(new TextEncoder().encode(text), (byte) => ids.get(byte) ?? 0);
};

const expectedSuffix: Readonly<Record<TestFamilyName, string>> = {
  chatml: '\n<|im_start|>user\nmore<|im_end|>\n<|im_start|>assistant\n',
  llama3: '<|start_header_id|>user<|end_header_id|>\n\nmore<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
  mistral: '[INST]more[/INST]',
  deepseek: '<｜User｜>more<｜Assistant｜><think>',
  glm: '\nmore<|assistant|>',
  'qwen3-coder': '\n<|im_start|>user\nmore<|im_end|>\n<|im_start|>assistant\n<think>\n',
  'gpt-oss': '<|start|>user<|message|>more<|end|><|start|>assistant',
  'kimi-k2': '<|im_user|>user<|im_middle|>more<|im_end|><|im_assistant|>assistant<|im_middle|>',
  'kimi-k3':
    '<|open|>message role="user"<|sep|>more<|close|>message<|sep|><|end_of_msg|><|open|>message role="assistant"<|sep|><|open|>think<|sep|>',
  minimax: '\n]~b]user\nmore[e~[\n]~b]ai\n<think>\n',
  'minimax-m3': '\n]~b]user\nmore[e~[\n]~b]ai\n',
  gemma3: '\n<start_of_turn>user\nmore<end_of_turn>\n<start_of_turn>model\n',
  gemma4: '\n<|turn>user\nmore<turn|>\n<|turn>model\n',
  'deepseek-v32': '<｜User｜>more<｜Assistant｜><think>',
  'deepseek-v41': '<｜User｜>more<｜Assistant｜><think>',
  generic: '\n### user:\nmore<eot>\n### assistant:\n',
};

const closers: Readonly<Record<TestFamilyName, string>> = {
  chatml: '<|im_end|>',
  llama3: '<|eot_id|>',
  mistral: '</s>',
  deepseek: '<｜end▁of▁sentence｜>',
  glm: '<|user|>',
  'qwen3-coder': '<|im_end|>',
  'gpt-oss': '<|return|>',
  'kimi-k2': '<|im_end|>',
  'kimi-k3': '<|end_of_msg|>',
  minimax: '[e~[',
  'minimax-m3': '[e~[',
  gemma3: '<end_of_turn>',
  gemma4: '<turn|>',
  'deepseek-v32': '<｜end▁of▁sentence｜>',
  'deepseek-v41': '<｜end▁of▁sentence｜>',
  generic: '<eot>',
};

/** What the template writes where a conversation goes on. */
const writtenClosers = {
  ...closers,
  'gpt-oss': '<|end|>',
  'kimi-k3': '<|close|>response<|sep|><|close|>message<|sep|><|end_of_msg|>',
};

/** Ends of an answer with calls, where they are others. */
const callClosers: Partial<Record<TestFamilyName, string>> = {
  glm: '<|observation|>',
  gemma4: '<|tool_response>',
  'gpt-oss': '<|call|>',
};

async function secondCompletion(
  name: TestFamilyName,
  ending: readonly string[],
  options: Partial<PromptBuilderOptions> = {},
) {
  const made = build(name, options);
  const first = await made.prompts.build(input([user('hello')]));
  const tokens = joinIds([first.ids, byteIds('hello', made.tokenizer), Int32Array.from(ending.map(made.requireId))]);
  const messages = [user('hello'), answer('hello'), user('more')];
  const newMessages = messages.slice(2);
  const finishReason = ending.length === 0 ? ('length' as const) : ('stop' as const);
  const next = (more: Partial<PromptInput> = {}) =>
    made.prompts.build(
      input(messages, { newMessages, parent: toParent(tokens, answer('hello'), { finishReason }), ...more }),
    );
  return { ...made, tokens, next, messages, newMessages };
}

describe('createPromptBuilder', () => {
  it('renders and encodes the whole conversation of a root', async () => {
    const { prompts, toText } = build('chatml');
    const prompt = await prompts.build(input([{ role: 'system', content: 'x' }, user('hello')], { tools: [weather] }));
    expect(toText(prompt.ids)).toBe(
      '<|im_start|>system\nx\nTools:\n{"type": "function", "function": {"name": "weather", "description": ' +
        '"Tells the weather.", "parameters": {"type": "object", "properties": {"place": {"type": "string"}}}}}\n' +
        '<|im_end|>\n<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n',
    );
    expect(prompt).toMatchObject({ inherited: 0, continuity: { kind: 'root' }, encodedTokens: prompt.ids.length });
    expect(await prompts.count([user('hello')], [])).toBe((await prompts.build(input([user('hello')]))).ids.length);
  });

  it.each(familyNames)('%s: appends new messages to the stored tokens without encoding those again', async (name) => {
    const { next, tokens, toText } = await secondCompletion(name, [closers[name]]);
    const prompt = await next();
    expect(prompt.continuity).toEqual({ kind: 'continued' });
    expect(prompt.inherited).toBe(tokens.length);
    expect(prompt.ids.subarray(0, tokens.length)).toEqual(tokens);
    expect(toText(prompt.ids.subarray(tokens.length))).toBe(expectedSuffix[name]);
    expect(prompt.encodedTokens).toBe(prompt.ids.length - tokens.length);
  });

  it.each(familyNames)('%s: closes an answer that was truncated by its token limit', async (name) => {
    const { next, tokens, toText } = await secondCompletion(name, []);
    const prompt = await next();
    expect(prompt.continuity).toEqual({ kind: 'continued' });
    expect(toText(prompt.ids.subarray(tokens.length))).toBe(writtenClosers[name] + expectedSuffix[name]);
  });

  it('starts a new path after a truncated answer, if the policy refuses to continue', async () => {
    const { next } = await secondCompletion('chatml', [], { cutOff: 'refuse' });
    expect(await next()).toMatchObject({ inherited: 0, continuity: { kind: 'forked', reason: 'answer_cut_off' } });
  });

  it('keeps a closer that the template would not have written', async () => {
    const { next, tokens, toText } = await secondCompletion('llama3', ['<|eom_id|>']);
    const prompt = await next();
    expect(prompt.inherited).toBe(tokens.length);
    expect(toText(prompt.ids.subarray(tokens.length))).toBe(expectedSuffix.llama3);
  });

  it('retains an end token that is not a closer, and appends the closer', async () => {
    const { next, tokens, toText } = await secondCompletion('chatml', ['<|endoftext|>']);
    expect(toText((await next()).ids.subarray(tokens.length))).toBe('<|im_end|>' + expectedSuffix.chatml);
  });

  it('replaces a sampled role token that does not fit the next message', async () => {
    const { next, tokens, toText } = await secondCompletion('glm', ['<|observation|>']);
    const prompt = await next();
    expect(prompt).toMatchObject({
      inherited: tokens.length - 1,
      continuity: { kind: 'forked', reason: 'closer_replaced' },
    });
    expect(toText(prompt.ids.subarray(tokens.length - 1))).toBe('<|user|>\nmore<|assistant|>');
  });

  it('replaces a sampled end of a turn where the result of a call goes on with it', async () => {
    const { prompts, tokenizer, toText, requireId } = build('gemma4');
    const first = await prompts.build(input([user('hello')]));
    const tokens = joinIds([first.ids, byteIds('a call', tokenizer), Int32Array.of(requireId('<turn|>'))]);
    const result: Message = { role: 'tool', content: 'rain', toolCallId: 'callnum01' };
    const parent = toParent(tokens, askedWeather, { finishReason: 'tool_calls' });
    const prompt = await prompts.build(input([user('hello'), askedWeather, result], { newMessages: [result], parent }));
    expect(prompt.continuity).toEqual({ kind: 'forked', reason: 'closer_replaced' });
    expect(toText(prompt.ids.subarray(tokens.length - 1))).toMatch(/^<\|tool_response>response:weather/);
  });

  it.each([
    ['chatml', '\n<|im_start|>user\n<tool_response>\nrain\n</tool_response><|im_end|>\n<|im_start|>assistant\n'],
    [
      'llama3',
      '<|start_header_id|>ipython<|end_header_id|>\n\nrain<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
    ],
    ['mistral', '[TOOL_RESULTS]rain[/TOOL_RESULTS]'],
    ['deepseek', '<｜tool▁output▁begin｜>rain<｜tool▁output▁end｜><｜Assistant｜><think>'],
    ['glm', '\n<tool_response>\nrain\n</tool_response><|assistant|>'],
    [
      'qwen3-coder',
      '\n<|im_start|>user\n<tool_response>\nrain\n</tool_response><|im_end|>\n<|im_start|>assistant\n<think>\n',
    ],
    [
      'gpt-oss',
      '<|start|>functions.weather to=assistant<|channel|>commentary<|message|>"rain"<|end|><|start|>assistant',
    ],
    [
      'kimi-k2',
      '<|im_system|>weather<|im_middle|>## Return of callnum01\nrain<|im_end|><|im_assistant|>assistant<|im_middle|>',
    ],
    ['minimax', '\n]~b]tool\n<response>rain</response>[e~[\n]~b]ai\n<think>\n'],
    ['minimax-m3', '\n]~b]tool\n<response>rain</response>[e~[\n]~b]ai\n'],
    [
      'kimi-k3',
      '<|open|>message role="tool" tool="weather"<|sep|>rain<|close|>message<|sep|><|end_of_msg|><|open|>message role="assistant"<|sep|><|open|>think<|sep|>',
    ],
    ['gemma4', 'response:weather{value:<|"|>rain<|"|>}<tool_response|>'],
    ['deepseek-v32', '\n\n<result>rain</result>\n\n<think>'],
    ['deepseek-v41', '<｜User｜><tool_result>rain</tool_result><｜Assistant｜><think>'],
  ] as const)('%s: puts results of tools after the calls', async (name, expected) => {
    const { prompts, tokenizer, toText, requireId } = build(name);
    const closer = callClosers[name as TestFamilyName] ?? closers[name];
    const first = await prompts.build(input([user('hello')]));
    const tokens = joinIds([first.ids, byteIds('a call', tokenizer), Int32Array.of(requireId(closer))]);
    const result: Message = { role: 'tool', content: 'rain', toolCallId: 'callnum01' };
    const prompt = await prompts.build(
      input([user('hello'), askedWeather, result], {
        newMessages: [result],
        parent: toParent(tokens, askedWeather, { finishReason: 'tool_calls' }),
      }),
    );
    expect(prompt.continuity).toEqual({ kind: 'continued' });
    expect(prompt.ids.subarray(0, tokens.length)).toEqual(tokens);
    expect(toText(prompt.ids.subarray(tokens.length))).toBe(expected);
  });

  it('encodes a foreign answer among the new messages as context', async () => {
    const { next, tokens, toText } = await secondCompletion('chatml', ['<|im_end|>']);
    const newMessages = [user('a'), answer('b'), user('c')];
    const { ids } = await next({ newMessages });
    expect(toText(ids.subarray(tokens.length))).toContain('user\na<|im_end|>\n<|im_start|>assistant\nb<|im_end|>\n');
  });

  it.each([
    [
      'the template puts the tools behind the last question',
      'mistral',
      { tools: [weather] },
      'template_not_append_only',
    ],
    ['there is no new message', 'chatml', { newMessages: [] }, 'nothing_new'],
  ] as const)('begins a new path if %s', async (_, name, more, reason) => {
    const { next } = await secondCompletion(name, [closers[name]]);
    expect(await next(more)).toMatchObject({ inherited: 0, continuity: { kind: 'forked', reason } });
  });

  it('begins a new path if the template refuses the suffix alone', async () => {
    const template =
      '{% for m in messages %}{% if m.content == "more" and messages|length == 3 and messages[0].content != "hello" %}{{ raise_exception("no") }}{% endif %}{{ m.content }}<eot>{% endfor %}';
    const { prompts } = build('generic', {}, template);
    const messages = [user('hello'), answer('x'), user('more')];
    const prompt = await prompts.build(
      input(messages, { newMessages: messages.slice(2), parent: toParent(Int32Array.of(1), answer('x')) }),
    );
    expect(prompt.continuity).toEqual({ kind: 'forked', reason: 'suffix_refused' });
  });

  describe('reasoning', () => {
    const thinking = async (retention: PromptBuilderOptions['retention'], newMessage: Message, output: Message) => {
      const made = build('chatml', retention === undefined ? {} : { retention });
      const tokens = Int32Array.from([1, 2, 3, made.requireId('<|im_end|>')]);
      const newMessages = [newMessage];
      const parent = toParent(tokens, output, { hasReasoning: true });
      return made.prompts.build(input([user('hello'), output, newMessage], { newMessages, parent }));
    };
    const thought: Message = { ...answer('x'), reasoning: 'hm' };
    const result: Message = { role: 'tool', content: 'rain', toolCallId: 'callnum01' };

    it.each([
      ['all', user('more'), thought, { kind: 'continued' }],
      ['tool_cycle', user('more'), thought, { kind: 'forked', reason: 'reasoning_dropped' }],
      ['tool_cycle', result, { ...askedWeather, reasoning: 'hm' }, { kind: 'continued' }],
      ['template', user('more'), thought, { kind: 'forked', reason: 'reasoning_dropped' }],
      ['template', result, { ...askedWeather, reasoning: 'hm' }, { kind: 'continued' }],
    ] as const)('under %s, before %j', async (retention, newMessage, output, continuity) => {
      expect((await thinking(retention, newMessage, output)).continuity).toEqual(continuity);
    });

    it('reports when the answer starts inside reasoning', async () => {
      const { prompts } = build('chatml');
      const open = await prompts.build(input([user('hello')], { templateArguments: { enable_thinking: true } }));
      const plain = await prompts.build(input([user('hello <think>')]));
      expect([open.startsInReasoning, plain.startsInReasoning]).toEqual([true, false]);
    });
  });

  it('keeps a split of a word that a new encoding would not produce', async () => {
    const { tokens, tokenizer, toText, prompts, messages, next } = await secondCompletion('chatml', ['<|im_end|>']);
    const repeated = await tokenizer.encode(toText(tokens), { control: true });
    expect(repeated.length).toBeLessThan(tokens.length);
    const { ids } = await next();
    expect(ids.subarray(0, tokens.length)).toEqual(tokens);

    const rendered = await prompts.renderPath(messages.slice(0, 2), [], {});
    const sampled = Uint8Array.from(tokens, (_, at) => (at >= tokens.length - 6 ? 1 : 0));
    const isControl = (id: number) => tokenizer.isControl(id);
    expect(compareWithRender({ ids: tokens, sampled, rendered, isControl, toText })).toEqual({
      counts: { template: 0, retokenised: 1, other: 0 },
      firstAt: tokens.length - 8,
    });
  });

  it('keeps stored tokens bit for bit and renders only the new messages, for any sample', async () => {
    const made = new Map(familyNames.map((name) => [name, build(name)]));
    const text = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom('hello world', '<|im_end|>'));
    const completions = fc.array(fc.record({ question: text, sampled: fc.array(fc.nat({ max: 280 })) }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...familyNames),
        completions,
        fc.boolean(),
        async (name, conversation, isClosed) => {
          const { prompts, toText, requireId } = made.get(name) ?? build(name);
          const messages: Message[] = [];
          let parent: ParentCompletion | undefined;
          for (const { question, sampled } of conversation) {
            const newMessages = [user(`q${question}q`)];
            messages.push(...newMessages);
            const prompt = await prompts.build(input([...messages], { newMessages, parent }));
            const path: Int32Array = parent?.tokens ?? new Int32Array(0);
            expect(prompt.inherited).toBe(path.length);
            expect(prompt.ids.subarray(0, path.length)).toEqual(path);
            const alone = toText((await prompts.build(input(newMessages))).ids);
            const added = toText(prompt.ids.subarray(path.length));
            expect(alone.endsWith(added.slice(added.indexOf(`q${question}q`)))).toBe(true);
            const ending = isClosed ? [requireId(closers[name])] : [];
            const output = answer('x');
            messages.push(output);
            parent = toParent(joinIds([prompt.ids, Int32Array.from([...sampled, ...ending])]), output);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
