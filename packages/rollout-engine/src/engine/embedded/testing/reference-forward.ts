import { createTinyVocabulary } from '../model/tiny-vocabulary';
import { readTensors, type TensorTable } from './gguf-tensors';
import { readGgufFields } from '../model/gguf-reader';

/**
 * Log-probabilities of each token but the first, computed in 64-bit numbers from the numbers in the file and from
 * the description of the llama architecture alone.
 */
export async function referenceLogprobs(file: string, ids: readonly number[], temperature: number): Promise<number[]> {
  const fields = await readGgufFields(file);
  const read = (key: string): number => Number(fields.get(`llama.${key}`));
  const shape: Shape = {
    width: read('embedding_length'),
    layers: read('block_count'),
    heads: read('attention.head_count'),
    keyValueHeads: read('attention.head_count_kv'),
    epsilon: read('attention.layer_norm_rms_epsilon'),
    ropeBase: read('rope.freq_base'),
  };
  const tensors = readTensors(file);
  const caches = Array.from({ length: shape.layers }, (): Cache => ({ keys: [], values: [] }));
  const { tokens } = createTinyVocabulary();
  return ids.slice(1).map((next, position) => {
    const id = ids[position] ?? 0;
    const logits = forward({ tensors, shape, caches }, id, position).map((logit) => logit / temperature);
    const highest = logits.reduce((left, right) => Math.max(left, right));
    const sum = logits.reduce((total, logit) => total + Math.exp(logit - highest), 0);
    expect(logits).toHaveLength(tokens.length);
    return at(logits, next) - highest - Math.log(sum);
  });
}

interface Shape {
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly epsilon: number;
  readonly ropeBase: number;
}

interface Cache {
  readonly keys: number[][];
  readonly values: number[][];
}

interface Model {
  readonly tensors: TensorTable;
  readonly shape: Shape;
  readonly caches: readonly Cache[];
}

function forward({ tensors, shape, caches }: Model, id: number, position: number): number[] {
  const { width, heads, keyValueHeads } = shape;
  const headWidth = width / heads;
  let stream = Array.from(tensors('token_embd').subarray(id * width, (id + 1) * width));
  for (const [layer, { keys, values }] of caches.entries()) {
    const weights = (name: string): Float32Array => tensors(`blk.${layer}.${name}`);
    const input = normalised(stream, weights('attn_norm'), shape.epsilon);
    const query = rotated(multiplied(weights('attn_q'), input), headWidth, position, shape.ropeBase);
    keys.push(rotated(multiplied(weights('attn_k'), input), headWidth, position, shape.ropeBase));
    values.push(multiplied(weights('attn_v'), input));
    const mixed = Array.from({ length: heads }, (_, head) => {
      const shared = Math.floor(head / (heads / keyValueHeads)) * headWidth;
      const own = query.slice(head * headWidth, (head + 1) * headWidth);
      const scores = keys.map((key) => dot(own, key.slice(shared, shared + headWidth)) / Math.sqrt(headWidth));
      const highest = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - highest));
      const total = powers.reduce((left, right) => left + right);
      return Array.from({ length: headWidth }, (_unused, channel) =>
        powers.reduce((sum, power, at_) => sum + (power / total) * at(values[at_] ?? [], shared + channel), 0),
      );
    }).flat();
    stream = added(stream, multiplied(weights('attn_output'), mixed));
    const middle = normalised(stream, weights('ffn_norm'), shape.epsilon);
    const gate = multiplied(weights('ffn_gate'), middle).map((value) => value / (1 + Math.exp(-value)));
    const up = multiplied(weights('ffn_up'), middle);
    const hidden = gate.map((value, channel) => value * at(up, channel));
    stream = added(stream, multiplied(weights('ffn_down'), hidden));
  }
  return multiplied(tensors('output'), normalised(stream, tensors('output_norm'), shape.epsilon));
}

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? Number.NaN;

const dot = (left: ArrayLike<number>, right: ArrayLike<number>): number => {
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += at(left, index) * at(right, index);
  return sum;
};

const added = (left: readonly number[], right: readonly number[]): number[] =>
  left.map((value, index) => value + at(right, index));

const multiplied = (weights: Float32Array, input: readonly number[]): number[] =>
  Array.from({ length: weights.length / input.length }, (_, row) =>
    dot(input, weights.subarray(row * input.length, (row + 1) * input.length)),
  );

function normalised(input: readonly number[], weights: Float32Array, epsilon: number): number[] {
  const scale = 1 / Math.sqrt(dot(input, input) / input.length + epsilon);
  return input.map((value, channel) => value * scale * at(weights, channel));
}

/** Turns neighbouring channels of each head by an angle that grows with the position. */
function rotated(input: readonly number[], headWidth: number, position: number, base: number): number[] {
  return input.map((value, index) => {
    const pair = Math.floor((index % headWidth) / 2);
    const angle = position / base ** ((2 * pair) / headWidth);
    return index % 2 === 0
      ? value * Math.cos(angle) - at(input, index + 1) * Math.sin(angle)
      : at(input, index - 1) * Math.sin(angle) + value * Math.cos(angle);
  });
}
