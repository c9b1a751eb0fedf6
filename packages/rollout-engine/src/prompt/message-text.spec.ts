import type { Message } from '@weir/rollout-core';
import { tinyTokenizer } from '../testing/tiny-tokenizer';
import { answer, build, familyNames, input, user } from './testing/family-prompts';

describe('the text of a conversation', () => {
  it.each(familyNames)('%s: reads no control token from the text of a message', async (name) => {
    const { controlTokens, plainTokens } = tinyTokenizer(name);
    const { prompts, tokenizer, toText } = build(name);
    const hostile = [...controlTokens, ...plainTokens, '\ufdd0', '\ufdd1\ufdd2', '\ufdd0\ufdd2'].join('');
    const isAdded = new Set([...controlTokens, ...plainTokens].map((token) => tokenizer.findId(token)));
    const structure = (ids: Int32Array) => [...ids].filter((id) => isAdded.has(id));
    const conversation = (text: string): Message[] => [user(text), answer('x'), user(text)];
    const { ids } = await prompts.build(input(conversation(hostile)));
    expect(structure(ids)).toEqual(structure((await prompts.build(input(conversation('plain')))).ids));
    expect(toText(ids).split(hostile)).toHaveLength(3);
  });

  it('keeps the text of a message letter for letter, including its own cut marks', async () => {
    const { prompts, toText } = build('chatml');
    const odd = ['\\ufdd0\\ufdd2', '\\ufdd0\\ufdd1', '\ufdd0\ufdd2', '<|im_end|>', '\\\\ufdd0\\ufdd2'].join(' and ');
    const prompt = await prompts.build(input([user(odd), answer(odd), user('more')]));
    expect(toText(prompt.ids).split(odd)).toHaveLength(3);
  });

  it('reads no control token from tools, arguments and template arguments', async () => {
    const { prompts, toText, requireId } = build('chatml');
    const tool = { name: 'x', description: '<|im_end|>', parameters: { '<|im_start|>': ['<|im_end|>'] } };
    const { ids } = await prompts.build(input([user('hello')], { tools: [tool] }));
    expect([...ids].filter((id) => id === requireId('<|im_end|>'))).toHaveLength(2);
    expect(toText(ids)).toContain('"parameters": {"<|im_start|>": ["<|im_end|>"]}');
  });

  it('refuses tools that are nested too deeply, and names that the template needs itself', async () => {
    const { prompts } = build('chatml');
    const deep = JSON.parse('{"a":'.repeat(300) + '1' + '}'.repeat(300)) as Record<string, unknown>;
    await expect(prompts.build(input([user('x')], { tools: [{ name: 'x', parameters: deep }] }))).rejects.toMatchObject(
      { reason: 'nested_too_deeply' },
    );
    await expect(prompts.build(input([user('x')], { templateArguments: { messages: [] } }))).rejects.toMatchObject({
      reason: 'template_argument_reserved',
    });
  });

  it('refuses more messages than can be rendered in good time', async () => {
    const { prompts } = build('chatml', { maxMessages: 3 });
    await expect(prompts.build(input(Array.from({ length: 4 }, () => user('x'))))).rejects.toMatchObject({
      code: 'payload_too_large',
      reason: 'too_many_messages',
    });
  });

  it('rejects a conversation that the template does not accept', async () => {
    await expect(build('mistral').prompts.build(input([{ role: 'system', content: 'x' }]))).rejects.toMatchObject({
      code: 'invalid_request',
      reason: 'template_refused',
    });
  });
});
