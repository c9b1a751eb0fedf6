export interface RunIdSource {
  readonly createdAt: Date;
  /** At least `size` unpredictable bytes; from outside, so that specs know the ids. */
  readonly randomBytes: (size: number) => Uint8Array;
}

// In the order of their character codes, so that ids sort as strings in the same order as numbers.
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(alphabet.length);
const idLength = 22;
const reserved = 'latest';

/**
 * A new run id: a UUIDv7 in base 62, always 22 letters and digits. Ids sort by the millisecond they were made in;
 * inside one millisecond their order is random.
 */
export function createRunId({ createdAt, randomBytes }: RunIdSource): string {
  const random = randomBytes(10).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  return toBase62(uuidV7(BigInt(createdAt.getTime()), random));
}

/** Whether a string may be used as a run id: 1 to 64 letters, digits, `-` and `_`, and not the word `latest`. */
export function isRunId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text) && text !== reserved;
}

/** Layout of RFC 9562: 48 bits of time, version 7, 12 random bits, variant 2, 62 random bits. */
function uuidV7(timeMs: bigint, random: bigint): bigint {
  const high = (BigInt.asUintN(48, timeMs) << 16n) | (7n << 12n) | ((random >> 62n) & 0xfffn);
  const low = (2n << 62n) | BigInt.asUintN(62, random);
  return (high << 64n) | low;
}

function toBase62(value: bigint): string {
  let text = '';
  for (let rest = value; text.length < idLength; rest /= base) {
    text = alphabet.charAt(Number(rest % base)) + text;
  }
  return text;
}
