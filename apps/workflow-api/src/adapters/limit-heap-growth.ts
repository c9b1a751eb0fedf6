import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 collect old objects whenever their heap has grown by half since the last collection. On a machine with much
 * memory it would let the heap grow to several times of what is used.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
