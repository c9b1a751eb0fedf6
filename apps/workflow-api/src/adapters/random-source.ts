import { randomBytes, randomUUID } from 'node:crypto';

/** Randomness, as a port, so that specs can set it. */
export interface RandomSource {
  uuid(): string;
  bytes(size: number): Uint8Array;
}

export const systemRandom: RandomSource = { uuid: () => randomUUID(), bytes: (size) => randomBytes(size) };
