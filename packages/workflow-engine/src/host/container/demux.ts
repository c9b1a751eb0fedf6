export interface StreamPart {
  readonly stream: 'stdout' | 'stderr';
  readonly part: Buffer;
}

const headerBytes = 8;
const stderrKind = 2;

/** Splits the multiplexed stream of the engine, in which a header with kind and length precedes each piece. */
export function createDemux(take: (part: StreamPart) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    while (rest.length >= headerBytes) {
      const end = headerBytes + rest.readUInt32BE(4);
      if (rest.length < end) return;
      take({ stream: rest[0] === stderrKind ? 'stderr' : 'stdout', part: rest.subarray(headerBytes, end) });
      rest = rest.subarray(end);
    }
  };
}

export function demuxed(bytes: Buffer): readonly StreamPart[] {
  const parts: StreamPart[] = [];
  createDemux((part) => parts.push(part))(bytes);
  return parts;
}
