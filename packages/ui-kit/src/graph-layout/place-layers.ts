import type { Layers } from './layers';
import { meanOf } from './order-layers';

const sweeps = 6;

/**
 * Places every rank across: as near to the mean of the neighbours as the order and the distances allow. `distance` is
 * measured between the middles of two adjacent nodes.
 */
export function placeLayers(
  { layers, up, down }: Layers,
  distance: (node: number, other: number) => number,
): Float64Array {
  const middles = new Float64Array(up.length);
  const offsets = layers.map((layer) => stack(layer, distance));
  for (const [rank, layer] of layers.entries()) {
    const room = offsets[rank]?.at(-1) ?? 0;
    for (const [index, node] of layer.entries()) middles[node] = (offsets[rank]?.[index] ?? 0) - room / 2;
  }
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isDown = sweep % 2 === 0;
    for (let step = 0; step < layers.length; step += 1) {
      const rank = isDown ? step : layers.length - 1 - step;
      moveLayer(layers[rank] ?? [], offsets[rank] ?? [], isDown ? up : down, middles);
    }
  }
  return middles;
}

/** Returns the positions nearest to the first member of a rank. */
function stack(layer: readonly number[], distance: (node: number, other: number) => number): readonly number[] {
  let sum = 0;
  return layer.map((node, index) => {
    const last = layer[index - 1];
    return last === undefined ? 0 : (sum += distance(last, node));
  });
}

interface Block {
  readonly sum: number;
  readonly size: number;
}

/** Minimizes the squares under the distances: neighbours that would overlap move together as one block. */
function moveLayer(
  layer: readonly number[],
  offsets: readonly number[],
  neighbours: readonly (readonly number[])[],
  middles: Float64Array,
): void {
  const blocks: Block[] = [];
  for (const [index, node] of layer.entries()) {
    const wanted = meanOf(neighbours[node] ?? [], middles) ?? middles[node] ?? 0;
    let block: Block = { sum: wanted - (offsets[index] ?? 0), size: 1 };
    for (let last = blocks.at(-1); last !== undefined && isBefore(block, last); last = blocks.at(-1)) {
      blocks.pop();
      block = { sum: last.sum + block.sum, size: last.size + block.size };
    }
    blocks.push(block);
  }
  let index = 0;
  for (const { sum, size } of blocks) {
    for (const end = index + size; index < end; index += 1)
      middles[layer[index] ?? 0] = sum / size + (offsets[index] ?? 0);
  }
}

function isBefore(block: Block, other: Block): boolean {
  return block.sum / block.size < other.sum / other.size;
}
