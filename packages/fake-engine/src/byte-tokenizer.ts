import { writeFileSync } from 'node:fs';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';

/** The letter that byte-level vocabularies write for each byte: itself where it can be seen, else one above 255. */
function letters(): readonly string[] {
  const isSeen = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isSeen(byte) ? byte : next++));
}

const controls = ['<|im_start|>', '<|im_end|>', '<|endoftext|>'] as const;

/** The token that ends an answer. */
export const endId = 257;
export const vocabularySize = 256 + controls.length;

/** Each byte is a token: id and byte are the same number, so that scripts can be read. */
export const toByteIds = (text: string): readonly number[] => [...Buffer.from(text)];
export const toText = (ids: readonly number[]): string => Buffer.from(ids.filter((id) => id < 256)).toString();

/** A string with the names of its control tokens read as those, as an engine's own tokenizer does. */
export function encode(text: string): readonly number[] {
  return text
    .split(/(<\|im_start\|>|<\|im_end\|>|<\|endoftext\|>)/)
    .flatMap((part) =>
      controls.some((name) => name === part) ? [256 + controls.findIndex((name) => name === part)] : toByteIds(part),
    );
}

const chatTemplate = [
  "{%- if tools %}{{ '<|im_start|>system\\n<tools>' }}{% for tool in tools %}{{ tool | tojson }}{% endfor %}",
  "{{- '</tools><|im_end|>\\n' }}{% endif %}",
  "{%- for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}",
  '{%- if m.content %}{{ m.content }}{% endif %}',
  '{%- for call in m.tool_calls or [] %}{{ \'<tool_call>\\n{"name": "\' + call.function.name + \'", "arguments": \' }}',
  "{{- call.function.arguments | tojson }}{{ '}\\n</tool_call>' }}{% endfor %}{{ '<|im_end|>\\n' }}{% endfor %}",
  "{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
].join('\n');

/** A folder with the files that loaders of tokenizers read. */
export function byteTokenizerFolder(): TemporaryFolder {
  const folder = temporaryFolder('weir-tokenizer-');
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  const write = (name: string, value: unknown): void => writeFileSync(folder.file(name), JSON.stringify(value));
  write('tokenizer.json', {
    version: '1.0',
    added_tokens: controls.map((content, index) => ({
      id: 256 + index,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: null,
    pre_tokenizer: byteLevel,
    decoder: byteLevel,
    model: { type: 'BPE', vocab: Object.fromEntries(letters().map((letter, byte) => [letter, byte])), merges: [] },
  });
  write('tokenizer_config.json', { eos_token: '<|im_end|>', chat_template: chatTemplate });
  return folder;
}
