import { createHash } from 'node:crypto';
import { AppError } from '@weir/foundation';
import { findEndTokens } from '@weir/rollout-core';
import { parseTokenBytes } from './byte-alphabet';
import type { GgufField } from './gguf-reader';

/** The tokenizer described in a model file. */
export interface Vocabulary {
  readonly size: number;
  /** SHA-256 of tokens, their kinds, merges and the pre-tokenizer, in hexadecimal. */
  readonly digest: string;
  readonly chatTemplate: string;
  readonly endIds: readonly number[];
  readonly bosToken: string;
  readonly eosToken: string;
  /** Names that llama.cpp recognises as tokens in any text. */
  readonly alwaysNamed: readonly string[];
  findId(token: string): number | undefined;
  tokenBytes(id: number): Uint8Array;
  isControl(id: number): boolean;
}

const tokenKind = { unknown: 2, control: 3, userDefined: 4 } as const;

export function readVocabulary(fields: ReadonlyMap<string, GgufField>): Vocabulary {
  const tokens = readTexts(fields, 'tokenizer.ggml.tokens');
  const chatTemplate = fields.get('tokenizer.chat_template');
  if (fields.get('tokenizer.ggml.model') !== 'gpt2' || tokens.length === 0) throw unsupported();
  if (typeof chatTemplate !== 'string') throw templateMissing();
  const kinds = readNumbers(fields, 'tokenizer.ggml.token_type');
  const isControl = (id: number): boolean => kinds[id] === tokenKind.control || kinds[id] === tokenKind.unknown;
  const isByteLevel = (id: number): boolean => !isControl(id) && kinds[id] !== tokenKind.userDefined;
  const bytes = tokens.map((token, id) => (isByteLevel(id) ? parseTokenBytes(token) : undefined) ?? Buffer.from(token));
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const readId = (name: string): number | undefined => {
    const id = fields.get(`tokenizer.ggml.${name}_token_id`);
    return typeof id === 'number' && id < tokens.length ? id : undefined;
  };
  const readToken = (name: string): string => tokens[readId(name) ?? -1] ?? '';
  const knownEnds = findEndTokens((token) => ids.has(token)).map((token) => ids.get(token));
  return {
    size: tokens.length,
    digest: digestVocabulary(fields, kinds),
    chatTemplate,
    endIds: readEndIds([readId('eos'), readId('eot'), ...knownEnds], isControl),
    bosToken: readToken('bos'),
    eosToken: readToken('eos'),
    alwaysNamed: tokens.filter((_, id) => kinds[id] === tokenKind.userDefined),
    findId: (token) => ids.get(token),
    tokenBytes: (id) => bytes[id] ?? new Uint8Array(0),
    isControl,
  };
}

function readEndIds(ids: readonly (number | undefined)[], isControl: (id: number) => boolean): readonly number[] {
  return [...new Set(ids)].filter((id) => id !== undefined).filter(isControl);
}

function digestVocabulary(fields: ReadonlyMap<string, GgufField>, kinds: Float64Array): string {
  const hash = createHash('sha256');
  for (const key of ['tokenizer.ggml.tokens', 'tokenizer.ggml.merges']) {
    hash.update(JSON.stringify(readTexts(fields, key)));
  }
  hash.update(JSON.stringify([fields.get('tokenizer.ggml.pre') ?? '', Array.from(kinds)]));
  return hash.digest('hex');
}

function readTexts(fields: ReadonlyMap<string, GgufField>, key: string): readonly string[] {
  const value = fields.get(key);
  return typeof value === 'object' && !(value instanceof Float64Array) ? value : [];
}

function readNumbers(fields: ReadonlyMap<string, GgufField>, key: string): Float64Array {
  const value = fields.get(key);
  return value instanceof Float64Array ? value : new Float64Array(0);
}

function unsupported(): AppError {
  return new AppError('invalid_request', 'The embedded engine supports byte-level vocabularies only.', {
    reason: 'tokenizer_unsupported',
  });
}

function templateMissing(): AppError {
  return new AppError('invalid_request', 'The model file has no chat template.', {
    reason: 'chat_template_missing',
  });
}
