import type { TokenPath } from '../api/read-tokens';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What is shown of a token: its text with visible line ends and tabs, or its bytes where they are no whole characters. */
export function tokenText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes).replaceAll('\n', '⏎\n').replaceAll('\r', '␍').replaceAll('\t', '⇥\t');
  } catch {
    return `⟨${toHex(bytes)}⟩`;
  }
}

/** The texts of all tokens of a path; each id is decoded once. */
export function tokenTexts({ ids, bytesOf }: Pick<TokenPath, 'ids' | 'bytesOf'>): readonly string[] {
  const known = new Map<number, string>();
  return Array.from(ids, (id, at) => {
    const text = known.get(id) ?? tokenText(bytesOf(at));
    known.set(id, text);
    return text;
  });
}

/** `e2 80 93` */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
