import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect old objects whenever their heap has grown by half since the last collection. On a machine with
 * much memory the heap would otherwise grow to several times the size in use.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
