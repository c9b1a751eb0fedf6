/** Numbers from 0 (inclusive) to 1 (exclusive), the same for a seed on every machine. */
export type RandomSource = () => number;

const two32 = 4_294_967_296;

/** The sfc32 generator, seeded with the lowest 64 bits of the seed as an integer. */
export function createRandom(seed: number): RandomSource {
  const bits = BigInt.asUintN(64, BigInt(Math.trunc(seed)));
  let a = Number(bits & 0xffff_ffffn) | 0;
  let b = Number(bits >> 32n) | 0;
  let c = 0x9e37_79b9 | 0;
  let counter = 1;
  const next = (): number => {
    const result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    c |= 0;
    return result >>> 0;
  };
  // Adjacent seeds start with similar numbers; a dozen rounds separate them.
  for (let round = 0; round < 12; round++) next();
  // 53 bits, as many as a number has, so that rare tokens keep their probability.
  return () => ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / (two32 * 2_097_152);
}
