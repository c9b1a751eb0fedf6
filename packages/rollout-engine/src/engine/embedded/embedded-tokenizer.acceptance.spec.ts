import { readFile, writeFile } from 'node:fs/promises';
import { Tokenizer as NativeTokenizer } from 'tokenizers';
import { Template } from '@huggingface/jinja';
import { createEmbeddedTokenizer } from './embedded-tokenizer';
import { startEmbeddedFixture, type EmbeddedFixture } from './testing/embedded-fixture';
import { createRandom } from './model/random';

let fixture: EmbeddedFixture;
let native: NativeTokenizer;

beforeAll(async () => {
  fixture = await startEmbeddedFixture();
  native = NativeTokenizer.fromFile(fixture.model.tokenizerFile);
}, 60_000);

afterAll(() => fixture.stop());

const texts = [
  'What is the weather in Paris?',
  ' leading and trailing ',
  'tabs\tand\r\nlines\n\n\n  of   spaces   \n',
  "it's what they'd've said, isn't it? I'LL",
  'naïve café — “quotes” … 1234567890',
  '日本語とかな、한국어, العربية, हिन्दी',
  '🙂 👩‍👩‍👧‍👦 🇫🇷 é é \u200d\ufeff',
  '<|im_start|>user\nHi<|im_end|>\n<|endoftext|>',
  '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
  'half <|im_end and </tool_call and <think></think>',
  '\u0000\u0001\u007f\u0085\u00a0\u00ad',
  '{"a":[1,2.5,-3e10,null,true]}',
];

const letters = [
  ...Array.from('abcdefghi étôß中文ا🙂👍🏽\n\t  \r\'".,!?<|>{}[]0123456789_-'),
  '<|im_end|>',
  '<think>',
  'the',
  ' weather',
];

function randomTexts(count: number): readonly string[] {
  const random = createRandom(7);
  const pick = (): string => letters[Math.floor(random() * letters.length)] ?? '';
  return Array.from({ length: count }, () => Array.from({ length: 1 + Math.floor(random() * 60) }, pick).join(''));
}

const encode = async (text: string, control: boolean): Promise<readonly number[]> =>
  Array.from(await fixture.tokenizer.encode(text, { control }));

const decode = (ids: readonly number[]): string => {
  const decoder = fixture.tokenizer.createDecoder({ showsControl: () => true });
  return decoder.push(Int32Array.from(ids)) + decoder.end();
};

describe('encode', () => {
  it('returns the same ids as Hugging Face', async () => {
    for (const text of [...texts, ...randomTexts(300)]) {
      const expected = await native.encode(text, null, { addSpecialTokens: false });

      expect(await encode(text, true)).toEqual(expected.getIds());
    }
  });

  it('returns ids that decode to the text, with and without control tokens', async () => {
    for (const text of [...texts, ...randomTexts(100)]) {
      expect(decode(await encode(text, true))).toBe(text);
      expect(decode(await encode(text, false))).toBe(text);
    }
  });

  it('encodes the names of control tokens as text by default', async () => {
    const text = '<|im_start|>system<|im_end|><tool_call></tool_call><think></think><|endoftext|>';

    expect((await encode(text, false)).filter((id) => fixture.tokenizer.isControl(id))).toEqual([]);
    expect((await encode(text, true)).filter((id) => fixture.tokenizer.isControl(id))).toHaveLength(7);
  });

  it('returns no ids for an empty text', async () => {
    expect(await encode('', true)).toEqual([]);
  });
});

describe('a token that the file declares as user-defined', () => {
  it('is encoded as text unless control tokens are requested, and is shown when decoded', async () => {
    const modelFile = `${fixture.model.modelFile}.user-defined`;
    const ids = ['<tool_call>', '</tool_call>'].map((name) => fixture.tokenizer.findId(name) ?? -1);
    const bytes = await readFile(fixture.model.modelFile);
    const key = 'tokenizer.ggml.token_type';
    // The key is followed by the kind of value, the kind of element and the count.
    const kinds = bytes.indexOf(key) + key.length + 16;
    for (const id of ids) bytes.writeInt32LE(4, kinds + id * 4);
    await writeFile(modelFile, bytes);
    const host = fixture.hostWith({ modelFile });
    try {
      const tokenizer = await createEmbeddedTokenizer({ host });
      const text = 'a <tool_call>{}</tool_call><|im_end|>';
      const plain = await tokenizer.encode(text, { control: false });
      const named = await tokenizer.encode(text, { control: true });

      expect(plain.some((id) => ids.includes(id) || tokenizer.isControl(id))).toBe(false);
      expect(tokenizer.createDecoder().push(plain)).toBe(text);
      expect(named.filter((id) => ids.includes(id))).toHaveLength(2);
      expect(tokenizer.createDecoder().push(named)).toBe('a <tool_call>{}</tool_call>');
    } finally {
      await host.stop();
    }
  });
});

describe('the table of tokens', () => {
  it('names the tokens like Hugging Face', () => {
    const { tokenizer } = fixture;

    expect(tokenizer.vocabularySize).toBe(native.getVocabSize(true));
    for (const name of ['<|im_start|>', '<|im_end|>', '</tool_call>', 'a', 'weather']) {
      expect(tokenizer.findId(name)).toBe(native.tokenToId(name));
    }
    expect(tokenizer.findId('no such token')).toBeUndefined();
  });

  it('includes the end tokens of messages and of texts', () => {
    const { tokenizer } = fixture;

    expect(tokenizer.endIds).toEqual([tokenizer.findId('<|im_end|>'), tokenizer.findId('<|endoftext|>')]);
    expect(tokenizer.eosToken).toBe('<|im_end|>');
    expect(tokenizer.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('buffers the bytes of an incomplete character', async () => {
    const ids = Int32Array.from(await encode('🙂', true));
    const decoder = fixture.tokenizer.createDecoder();

    expect(Array.from(ids, (id) => decoder.push(Int32Array.of(id)))).toEqual(['', '', '', '🙂']);
  });
});

describe('the chat template', () => {
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }];
  const call = { type: 'function', function: { name: 'get_weather', arguments: { city: 'Paris' } } };
  const messages = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
    { role: 'assistant', content: '', reasoning_content: 'A tool.', tool_calls: [call] },
    { role: 'tool', content: '21 degrees' },
    { role: 'assistant', content: 'It is warm.' },
  ];
  const render = (count: number, values: Record<string, unknown> = {}): string =>
    new Template(fixture.tokenizer.chatTemplate).render({ messages: messages.slice(0, count), ...values });

  it('renders tools, reasoning, calls and results', () => {
    expect(render(4, { tools, add_generation_prompt: true })).toBe(
      [
        '<|im_start|>system\nBe short.\n\nThese tools can be called:\n<tools>\n',
        '{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}\n</tools>\n',
        'To call one, write {"name": ..., "arguments": {...}} between <tool_call> and </tool_call>.<|im_end|>\n',
        '<|im_start|>user\nWeather?<|im_end|>\n',
        '<|im_start|>assistant\n<think>\nA tool.\n</think>\n\n<tool_call>\n',
        '{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call><|im_end|>\n',
        '<|im_start|>tool\n21 degrees<|im_end|>\n<|im_start|>assistant\n',
      ].join(''),
    );
  });

  it.each([undefined, tools])('renders a longer conversation as an extension of the shorter one', (given) => {
    for (let count = 1; count < messages.length; count++) {
      expect(render(count + 1, { tools: given }).startsWith(render(count, { tools: given }))).toBe(true);
    }
  });
});
