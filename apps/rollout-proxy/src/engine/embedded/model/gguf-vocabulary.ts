import { createHash } from 'node:crypto';
import { AppError } from '@weir/errors';
import { bytesOfToken } from './byte-alphabet';
import type { GgufField } from './gguf-reader';

/** The tokenizer of a model as its file describes it. */
export interface Vocabulary {
  readonly size: number;
  /** SHA-256 over tokens, their kinds, merges and the way of splitting words, in hexadecimal. */
  readonly digest: string;
  readonly chatTemplate: string;
  readonly endIds: readonly number[];
  readonly bosToken: string;
  readonly eosToken: string;
  /** Names that llama.cpp reads as tokens in any text. */
  readonly alwaysNamed: readonly string[];
  idOf(token: string): number | undefined;
  bytesOf(id: number): Uint8Array;
  isControl(id: number): boolean;
}

/** Kinds of tokens in the file. */
const tokenKind = { unknown: 2, control: 3, userDefined: 4 } as const;

/** Tokens that end a turn in the templates of known families, where the file does not say so. */
const endNames = [
  '<|im_end|>',
  '<|endoftext|>',
  '<|eot_id|>',
  '<|end_of_text|>',
  '<|end|>',
  '<|eom_id|>',
  '<end_of_turn>',
];

export function readVocabulary(fields: ReadonlyMap<string, GgufField>): Vocabulary {
  const tokens = textsOf(fields, 'tokenizer.ggml.tokens');
  const chatTemplate = fields.get('tokenizer.chat_template');
  if (fields.get('tokenizer.ggml.model') !== 'gpt2' || tokens.length === 0) throw unsupported();
  if (typeof chatTemplate !== 'string') throw templateMissing();
  const kinds = numbersOf(fields, 'tokenizer.ggml.token_type');
  const isControl = (id: number): boolean => kinds[id] === tokenKind.control || kinds[id] === tokenKind.unknown;
  const isSpelled = (id: number): boolean => !isControl(id) && kinds[id] !== tokenKind.userDefined;
  const bytes = tokens.map((token, id) => (isSpelled(id) ? bytesOfToken(token) : undefined) ?? Buffer.from(token));
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const idUnder = (name: string): number | undefined => {
    const id = fields.get(`tokenizer.ggml.${name}_token_id`);
    return typeof id === 'number' && id < tokens.length ? id : undefined;
  };
  const tokenUnder = (name: string): string => tokens[idUnder(name) ?? -1] ?? '';
  return {
    size: tokens.length,
    digest: digestOf(fields, kinds),
    chatTemplate,
    endIds: endIdsOf([idUnder('eos'), idUnder('eot'), ...endNames.map((name) => ids.get(name))], isControl),
    bosToken: tokenUnder('bos'),
    eosToken: tokenUnder('eos'),
    alwaysNamed: tokens.filter((_, id) => kinds[id] === tokenKind.userDefined),
    idOf: (token) => ids.get(token),
    bytesOf: (id) => bytes[id] ?? new Uint8Array(0),
    isControl,
  };
}

function endIdsOf(ids: readonly (number | undefined)[], isControl: (id: number) => boolean): readonly number[] {
  return [...new Set(ids)].filter((id) => id !== undefined).filter(isControl);
}

function digestOf(fields: ReadonlyMap<string, GgufField>, kinds: Float64Array): string {
  const hash = createHash('sha256');
  for (const key of ['tokenizer.ggml.tokens', 'tokenizer.ggml.merges']) {
    hash.update(JSON.stringify(textsOf(fields, key)));
  }
  hash.update(JSON.stringify([fields.get('tokenizer.ggml.pre') ?? '', Array.from(kinds)]));
  return hash.digest('hex');
}

function textsOf(fields: ReadonlyMap<string, GgufField>, key: string): readonly string[] {
  const value = fields.get(key);
  return typeof value === 'object' && !(value instanceof Float64Array) ? value : [];
}

function numbersOf(fields: ReadonlyMap<string, GgufField>, key: string): Float64Array {
  const value = fields.get(key);
  return value instanceof Float64Array ? value : new Float64Array(0);
}

function unsupported(): AppError {
  return new AppError('invalid_request', 'The embedded engine reads byte-level vocabularies only.', {
    reason: 'tokenizer_unsupported',
  });
}

function templateMissing(): AppError {
  return new AppError('invalid_request', 'The file of the model has no chat template.', {
    reason: 'chat_template_missing',
  });
}
