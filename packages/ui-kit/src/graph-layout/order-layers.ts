import type { Layers } from './layers';

const sweeps = 8;

/**
 * Orders each rank by the mean position of the neighbours, down and up, so that few edges cross. Equal positions keep
 * their order.
 */
export function orderLayers({ layers, up, down }: Layers): void {
  const places = new Float64Array(up.length);
  const means = new Float64Array(up.length);
  for (const layer of layers) number(layer, places);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isDown = sweep % 2 === 0;
    const neighbours = isDown ? up : down;
    for (let step = 1; step < layers.length; step += 1) {
      const layer = layers[isDown ? step : layers.length - 1 - step];
      if (layer !== undefined && layer.length > 1) sortLayer(layer, neighbours, { places, means });
    }
  }
}

interface Values {
  readonly places: Float64Array;
  readonly means: Float64Array;
}

function sortLayer(layer: number[], neighbours: readonly (readonly number[])[], { places, means }: Values): void {
  for (const node of layer) means[node] = meanOf(neighbours[node] ?? [], places) ?? places[node] ?? 0;
  layer.sort((node, other) => (means[node] ?? 0) - (means[other] ?? 0));
  number(layer, places);
}

/** Positions run from 0 to 1 in every rank, so that ranks of different size are comparable. */
function number(layer: readonly number[], places: Float64Array): void {
  layer.forEach((node, index) => {
    places[node] = (index + 0.5) / layer.length;
  });
}

export function meanOf(nodes: readonly number[], values: Float64Array): number | undefined {
  if (nodes.length === 0) return undefined;
  let sum = 0;
  for (const node of nodes) sum += values[node] ?? 0;
  return sum / nodes.length;
}
