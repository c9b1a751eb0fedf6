import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readIfPresent } from '@weir/foundation';
import type { GgufValue } from './gguf-format';
import { writeGguf } from './gguf-writer';
import { tinyChatTemplate } from './tiny-chat-template';
import {
  createTinyVocabulary,
  generationConfigJson,
  tinyControlTokens,
  tokenizerConfigJson,
  tokenizerJson,
  type TinyVocabulary,
} from './tiny-vocabulary';
import { createTinyWeights, tinyShape } from './tiny-weights';

export interface TinyModel {
  readonly modelFile: string;
  /** The same vocabulary with the same ids, for libraries that do not read GGUF. */
  readonly tokenizerFile: string;
  readonly tokenizerConfigFile: string;
  /** SHA-256 of the model file, in hexadecimal. */
  readonly digest: string;
  /** Whether a file was missing or different, and was written. */
  readonly isNew: boolean;
}

/**
 * Writes a model of random weights to a folder, so that the proxy runs without a download: llama architecture, 0.6 MB,
 * 32,768 tokens of context. It babbles. A seed gives the same bytes on every machine; equal files are not rewritten,
 * others are replaced atomically.
 */
export async function writeTinyModel(
  folder: string,
  { seed = 1 }: { readonly seed?: number } = {},
): Promise<TinyModel> {
  const vocabulary = createTinyVocabulary();
  const model = writeGguf(createHeader(vocabulary, seed), createTinyWeights(vocabulary, seed));
  const inFolder = (name: string): string => path.join(folder, name);
  const files = {
    modelFile: inFolder('model.gguf'),
    tokenizerFile: inFolder('tokenizer.json'),
    tokenizerConfigFile: inFolder('tokenizer_config.json'),
  };
  await mkdir(folder, { recursive: true });
  const written = await Promise.all([
    putFile(files.modelFile, model),
    putFile(files.tokenizerFile, Buffer.from(tokenizerJson(vocabulary))),
    putFile(inFolder('generation_config.json'), Buffer.from(generationConfigJson(vocabulary))),
    putFile(files.tokenizerConfigFile, Buffer.from(tokenizerConfigJson(tinyChatTemplate, tinyShape.contextLength))),
  ]);
  return { ...files, digest: sha256(model), isNew: written.includes(true) };
}

const tokenType = { normal: 1, control: 3 } as const;

function createHeader({ tokens, merges, controlTokens }: TinyVocabulary, seed: number): ReadonlyMap<string, GgufValue> {
  const u32 = (value: number): GgufValue => ({ type: 'u32', value });
  const text = (value: string): GgufValue => ({ type: 'string', value });
  const { width, heads } = tinyShape;
  const firstControl = tokens.length - controlTokens.length;
  const types = Int32Array.from(tokens, (_, id) => (id < firstControl ? tokenType.normal : tokenType.control));
  return new Map<string, GgufValue>([
    ['general.architecture', text('llama')],
    ['general.name', text(`weir-tiny-${seed}`)],
    ['llama.vocab_size', u32(tokens.length)],
    ['llama.context_length', u32(tinyShape.contextLength)],
    ['llama.embedding_length', u32(width)],
    ['llama.block_count', u32(tinyShape.layers)],
    ['llama.feed_forward_length', u32(tinyShape.hiddenWidth)],
    ['llama.attention.head_count', u32(heads)],
    ['llama.attention.head_count_kv', u32(tinyShape.keyValueHeads)],
    ['llama.rope.dimension_count', u32(width / heads)],
    ['llama.attention.layer_norm_rms_epsilon', { type: 'f32', value: tinyShape.epsilon }],
    ['llama.rope.freq_base', { type: 'f32', value: tinyShape.ropeBase }],
    ['tokenizer.ggml.model', text('gpt2')],
    ['tokenizer.ggml.pre', text('gpt-2')],
    ['tokenizer.ggml.tokens', { type: 'strings', value: tokens }],
    ['tokenizer.ggml.token_type', { type: 'i32s', value: types }],
    ['tokenizer.ggml.merges', { type: 'strings', value: merges.map((pair) => pair.join(' ')) }],
    ['tokenizer.ggml.bos_token_id', u32(tokens.indexOf(tinyControlTokens.endOfText))],
    ['tokenizer.ggml.eos_token_id', u32(tokens.indexOf(tinyControlTokens.endOfMessage))],
    ['tokenizer.ggml.eot_token_id', u32(tokens.indexOf(tinyControlTokens.endOfMessage))],
    ['tokenizer.ggml.padding_token_id', u32(tokens.indexOf(tinyControlTokens.endOfText))],
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: false }],
    ['tokenizer.chat_template', text(tinyChatTemplate)],
  ]);
}

/** Returns whether the file was written. */
async function putFile(file: string, content: Buffer): Promise<boolean> {
  const present = await readIfPresent(file);
  if (present !== undefined && sha256(present) === sha256(content)) return false;
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  return true;
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
