import { setImmediate } from 'node:timers/promises';
import { tinyTokenizer } from '../testing/tiny-tokenizer';
import { maxNamedTokens } from '../tokenizer/named-token-limit';
import { createHuggingFaceTokenizer } from '../tokenizer/hugging-face-tokenizer';
import { createPromptBuilder } from './create-prompt-builder';

const tokenizer = createHuggingFaceTokenizer(tinyTokenizer('chatml'));
const prompts = createPromptBuilder({ tokenizer, retention: 'all', addedTokens: tokenizer.addedTokens });
afterAll(async () => {
  await prompts.stop();
  await tokenizer.stop();
});

const name = '<|im_start|>';
const count = (role: 'user' | 'assistant', content: string) => prompts.count([{ role, content }], []);

describe('text that is longer than any context', () => {
  const encoded: string[] = [];
  const recording = {
    ...tokenizer,
    encode: (...[text, options]: Parameters<typeof tokenizer.encode>) => {
      encoded.push(text);
      return tokenizer.encode(text, options);
    },
  };
  const bounded = createPromptBuilder({ tokenizer: recording, contextTokens: () => 1_000 });
  afterAll(() => bounded.stop());
  const countWords = (words: number) => bounded.count([{ role: 'user', content: 'word '.repeat(words) }], []);

  it('is refused before it is encoded', async () => {
    encoded.length = 0;
    await expect(countWords(2_000_000)).rejects.toMatchObject({
      code: 'payload_too_large',
      reason: 'context_length_exceeded',
    });
    expect(encoded).toEqual([]);
  });

  it('is refused in tools before they are prepared', async () => {
    const tools = [{ name: 'look_up', description: 'word '.repeat(10_000) }];
    await expect(bounded.count([{ role: 'user', content: 'Hi' }], tools)).rejects.toMatchObject({
      reason: 'context_length_exceeded',
      details: { param: 'tools' },
    });
  });

  it('is encoded if it might fit', async () => {
    expect(await countWords(1_000)).toBeGreaterThan(1_000);
  });
});

describe('a string that consists of names of tokens only', () => {
  it.each([
    ['user', name],
    ['assistant', name],
    // No control token, so that answers may hold it: templates search for it.
    ['assistant', '<tool_call>'],
  ] as const)('is refused before it is encoded, from %s: %s', async (role, text) => {
    const asked = count(role, text.repeat(10_000_000 / text.length));
    await expect(asked).rejects.toMatchObject({ code: 'payload_too_large', reason: 'too_many_token_names' });
  });

  it('is refused when many messages hold it together', async () => {
    const messages = Array.from({ length: 100 }, () => ({ role: 'user' as const, content: name.repeat(1_000) }));
    await expect(prompts.count(messages, [])).rejects.toMatchObject({ reason: 'too_many_token_names' });
  });

  it('does not block other work of the process while its names are found', async () => {
    const bounded = createPromptBuilder({ tokenizer, contextTokens: () => 1_000 });
    const over = new AbortController();
    const messages = [{ role: 'user' as const, content: name.repeat(maxNamedTokens) }];
    const counting = bounded.count(messages, []).finally(() => over.abort());
    counting.catch(() => undefined);
    let turns = 0;
    for (; !over.signal.aborted; turns += 1) await setImmediate();
    await expect(counting).rejects.toMatchObject({ reason: 'context_length_exceeded' });
    // 8,192 names at a time.
    expect(turns).toBeGreaterThan(8);
    await bounded.stop();
  });

  it('does not block other work of the process while it is encoded', async () => {
    const over = new AbortController();
    const counting = count('user', name.repeat(maxNamedTokens - 100)).finally(() => over.abort());
    let turns = 0;
    for (; !over.signal.aborted; turns += 1) await setImmediate();
    expect(await counting).toBeGreaterThan(maxNamedTokens);
    // Two pieces for a name, 512 pieces at a time.
    expect(turns).toBeGreaterThan(100);
  });
});
