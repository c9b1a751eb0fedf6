import type { GgufTensor } from './gguf-format';
import { createRandom, type RandomSource } from './random';
import { byteLetters } from './byte-alphabet';
import { tinyControlTokens, type TinyVocabulary } from './tiny-vocabulary';

export const tinyShape = {
  contextLength: 32_768,
  width: 64,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  hiddenWidth: 128,
  ropeBase: 10_000,
  epsilon: 1e-5,
} as const;

/** Random weights of a `llama` model. Only uniform numbers: sines and logarithms may differ between machines. */
export function createTinyWeights(vocabulary: TinyVocabulary, seed: number): readonly GgufTensor[] {
  const { width, layers, heads, keyValueHeads, hiddenWidth } = tinyShape;
  const keyWidth = (width / heads) * keyValueHeads;
  const random = createRandom(seed);
  const size = vocabulary.tokens.length;
  const tensors = [embedding(random, size), { name: 'output_norm.weight', ...ones() }, output(random, vocabulary)];
  for (let layer = 0; layer < layers; layer++) {
    const add = (name: string, rows: number, columns: number, scale: number): void => {
      const data = uniform(random, rows * columns, scale / Math.sqrt(columns));
      // The first channel carries the bias of the tokens and must stay unchanged.
      if (name === 'attn_output' || name === 'ffn_down') data.fill(0, 0, columns);
      tensors.push({ name: `blk.${layer}.${name}.weight`, shape: [columns, rows], data });
    };
    tensors.push({ name: `blk.${layer}.attn_norm.weight`, ...ones() });
    add('attn_q', width, width, 4);
    add('attn_k', keyWidth, width, 4);
    add('attn_v', keyWidth, width, 2);
    add('attn_output', width, width, 2);
    tensors.push({ name: `blk.${layer}.ffn_norm.weight`, ...ones() });
    add('ffn_gate', hiddenWidth, width, 2);
    add('ffn_up', hiddenWidth, width, 2);
    add('ffn_down', width, hiddenWidth, 2);
  }
  return tensors;
}

const usualScale = 1.7;

function embedding(random: RandomSource, size: number): GgufTensor {
  const { width } = tinyShape;
  const data = uniform(random, size * width, usualScale);
  for (let id = 0; id < size; id++) data[id * width] = 2;
  return { name: 'token_embd.weight', shape: [width, size], data };
}

/** The first channel is constant; its weights here make readable tokens more likely than others. */
function output(random: RandomSource, { tokens, controlTokens, wordTokens }: TinyVocabulary): GgufTensor {
  const { width } = tinyShape;
  const data = uniform(random, tokens.length * width, 0.3);
  const firstControl = tokens.length - controlTokens.length;
  for (const [id, token] of tokens.entries()) {
    data[id * width] = id < firstControl ? tokenBias(token, wordTokens.has(token)) : controlBias(token);
  }
  return { name: 'output.weight', shape: [width, tokens.length], data };
}

function tokenBias(token: string, isWord: boolean): number {
  if (token.length > 1) return isWord ? 1.3 : 0.2;
  // A quoted text that a grammar requires should end soon.
  if (token === '"') return 3;
  const byte = byteLetters.indexOf(token);
  return byte === 10 || (byte >= 32 && byte < 127) ? 0.4 : -2;
}

function controlBias(token: string): number {
  if (token === tinyControlTokens.endOfMessage) return 2.2;
  return token === tinyControlTokens.endOfText ? -1 : -2;
}

function ones(): Pick<GgufTensor, 'shape' | 'data'> {
  return { shape: [tinyShape.width], data: new Float32Array(tinyShape.width).fill(1) };
}

function uniform(random: RandomSource, length: number, limit: number): Float32Array {
  return Float32Array.from({ length }, () => (random() * 2 - 1) * limit);
}
