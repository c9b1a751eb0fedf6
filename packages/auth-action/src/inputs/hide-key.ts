type Hide = (secret: string) => void;

// A line of a few characters occurs in innocent output too, and tells nobody anything.
const minHiddenLength = 12;
const secretFields = ['private_key', 'client_secret', 'refresh_token'];

/** Hides a text that is not understood yet, so that nothing which fails from here on can print a part of it. */
export function hideLines(text: string, hide: Hide): void {
  for (const line of text.split(/[\r\n]+/)) {
    const trimmed = line.trim();
    if (trimmed.length >= minHiddenLength) hide(trimmed);
  }
}

/**
 * The platform knows the secret only in the form in which it was stored. Hides the other forms: the JSON on one line,
 * and the private key whole, line by line, and as it stands in JSON.
 */
export function hideKey(json: Readonly<Record<string, unknown>>, hide: Hide): void {
  hide(JSON.stringify(json));
  for (const field of secretFields) {
    const secret = json[field];
    if (typeof secret !== 'string' || secret.length < minHiddenLength) continue;
    hide(secret);
    hide(JSON.stringify(secret).slice(1, -1));
    hideLines(secret, hide);
  }
}
