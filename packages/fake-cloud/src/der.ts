/** The few parts of ASN.1's distinguished encoding that a certificate is made of. */
export const der = {
  sequence: (...items: readonly Buffer[]) => wrap(0x30, ...items),
  set: (...items: readonly Buffer[]) => wrap(0x31, ...items),
  boolean: (value: boolean) => wrap(0x01, Buffer.from([value ? 0xff : 0])),
  /** The integer is positive: a leading bit would make it negative. */
  integer: (bytes: Buffer) => wrap(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.alloc(1), bytes])),
  bits: (bytes: Buffer, unused = 0) => wrap(0x03, Buffer.from([unused]), bytes),
  octets: (bytes: Buffer) => wrap(0x04, bytes),
  text: (text: string) => wrap(0x0c, Buffer.from(text)),
  time: (moment: Date) => wrap(0x18, Buffer.from(moment.toISOString().replaceAll(/[-:T]|\.\d+/g, ''))),
  identifier: (dotted: string) => wrap(0x06, Buffer.from(identifierBytes(dotted))),
  /** `[number]` with a primitive value, or a constructed one. */
  tagged: (number: number, value: Buffer, form: 'primitive' | 'constructed') =>
    wrap((form === 'constructed' ? 0xa0 : 0x80) | number, value),
} as const;

function wrap(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function identifierBytes(dotted: string): readonly number[] {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return [first * 40 + second, ...others.flatMap(sevenBitGroups)];
}

/** The most significant group comes first; all but the last carry the high bit. */
function sevenBitGroups(value: number): readonly number[] {
  const rest = value >> 7;
  const higher = rest === 0 ? [] : sevenBitGroups(rest).map((group) => group | 0x80);
  return [...higher, value & 0x7f];
}
