import { createPrivateKey, generatePrimeSync, type KeyObject } from 'node:crypto';

/** An RSA key of 384 bits: it can be parsed, but is too short for a signature. */
export function aTinyKey(): KeyObject {
  // With 3 as the exponent of the public key, (2φ + 1) / 3 is that of the private one.
  const [p, q] = [aPrime(), aPrime()];
  const [e, d] = [3n, (2n * (p - 1n) * (q - 1n) + 1n) / 3n];
  const numbers = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: power(q, p - 2n, p) };
  const fields = Object.entries(numbers).map(([name, value]) => [name, encode(value)] as const);
  return createPrivateKey({ key: { kty: 'RSA', ...Object.fromEntries(fields) }, format: 'jwk' });
}

/** Two more than a multiple of three, so that 3 is invertible. */
const aPrime = (): bigint => generatePrimeSync(192, { bigint: true, add: 3n, rem: 2n });

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  if (exponent === 0n) return 1n;
  const half = power((base * base) % modulus, exponent / 2n, modulus);
  return exponent % 2n === 0n ? half : (half * base) % modulus;
}

function encode(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}
