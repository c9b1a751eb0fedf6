type Mask = (secret: string) => void;

// A shorter line is not secret by itself, and masking it would garble unrelated output.
const minMaskedLength = 12;
const secretFields = ['private_key', 'client_secret', 'refresh_token'];

/** Masks a text before it is parsed, so that no later failure can print a part of it. */
export function maskLines(text: string, mask: Mask): void {
  for (const line of text.split(/[\r\n]+/)) {
    const trimmed = line.trim();
    if (trimmed.length >= minMaskedLength) mask(trimmed);
  }
}

/**
 * The runner masks the secret only in the form in which it was stored. This masks the other forms: the JSON on one line,
 * and the private key as a whole, line by line, and escaped for JSON.
 */
export function maskKey(json: Readonly<Record<string, unknown>>, mask: Mask): void {
  mask(JSON.stringify(json));
  for (const field of secretFields) {
    const secret = json[field];
    if (typeof secret !== 'string' || secret.length < minMaskedLength) continue;
    mask(secret);
    mask(JSON.stringify(secret).slice(1, -1));
    maskLines(secret, mask);
  }
}
