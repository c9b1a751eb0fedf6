/** The part of gifenc that is used; the package has no types. */
declare module 'gifenc' {
  export function quantize(rgba: Uint8ClampedArray, maxColors: number): number[][];
  export function applyPalette(rgba: Uint8ClampedArray, palette: number[][]): Uint8Array;
}
