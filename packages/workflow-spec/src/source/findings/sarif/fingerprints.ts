import type { Finding } from '../finding';

/**
 * Identifies findings across edits of other parts of the file: line numbers and list positions of steps do not count.
 * Equal findings are numbered.
 */
export function fingerprints(findings: readonly Finding[]): readonly string[] {
  const counts = new Map<string, number>();
  return findings.map(({ code, path, message }) => {
    const stablePath = path.replace(/\/\d+(?=\/|$)/g, '/*');
    const hash = hashText(JSON.stringify([code, stablePath, message.replace(/\[\d+\]/g, '[*]')]));
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    return `${hash}:${count}`;
  });
}

/** FNV-1a with 64 bits, as 16 hexadecimal digits. */
function hashText(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
