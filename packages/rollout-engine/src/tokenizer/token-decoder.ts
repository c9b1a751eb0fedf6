import type { TokenDecoder } from './tokenizer';

export interface TokenBytes {
  tokenBytes(id: number): Uint8Array;
  isControl(id: number): boolean;
}

/** Invalid UTF-8 becomes U+FFFD as soon as that is certain; bytes of an incomplete character are buffered. */
export function createTokenDecoder(
  tokens: TokenBytes,
  { showsControl = () => false }: { readonly showsControl?: (id: number) => boolean } = {},
): TokenDecoder {
  // A byte order mark is ordinary text.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const hasText = (id: number): boolean => !tokens.isControl(id) || showsControl(id);
  const toBytes = (ids: Int32Array): Uint8Array => {
    let length = 0;
    for (const id of ids) if (hasText(id)) length += tokens.tokenBytes(id).length;
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const id of ids) {
      if (!hasText(id)) continue;
      const piece = tokens.tokenBytes(id);
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  };
  return {
    push: (ids) => decoder.decode(toBytes(ids), { stream: true }),
    end: () => decoder.decode(),
  };
}
