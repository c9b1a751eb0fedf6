/** Shorter values would match everywhere. */
export const minSecretLength = 3;

// Parts of a value are masked only when they are long enough not to match everywhere.
const minLineLength = 5;
const minEncodedPart = 6;
// Line lengths of base64 and openssl.
const base64LineLengths = [76, 64] as const;

/**
 * The forms in which a secret may appear: verbatim, line by line, as a shell prints it, in JSON, in a URL, and in base64,
 * even as a part of other encoded data. None is shorter than {@link minSecretLength}.
 */
export function secretForms(value: string): readonly string[] {
  const plain = [value, value.trim(), value.trim().replace(/\s+/g, ' '), ...splitLines(value)];
  const forms = [...plain.flatMap(writtenForms), ...urlForms(value), ...base64Forms(value)];
  return [...new Set(forms)].filter((form) => Buffer.byteLength(form) >= minSecretLength);
}

function splitLines(value: string): readonly string[] {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim());
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= minLineLength);
}

/** Verbatim, as shells quote it in traces, and as a JSON string. */
function writtenForms(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[^\x20-\x7E]/g, unicodeEscape);
  return [
    text,
    text.replaceAll("'", String.raw`'\''`),
    text.replaceAll("'", `'"'"'`),
    json,
    json.replaceAll('/', String.raw`\/`),
    json.replace(/[<>&]/g, unicodeEscape),
    ascii,
    ascii.replace(/[<>&]/g, unicodeEscape),
  ];
}

function unicodeEscape(unit: string): string {
  return String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0');
}

function urlForms(value: string): readonly string[] {
  // The conversion replaces lone surrogates, which encodeURIComponent refuses.
  const component = encodeURIComponent(Buffer.from(value).toString());
  const strict = component.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams({ '': value }).toString().slice(1);
  return [component, strict, form].flatMap((text) => [text, text.replace(/%[0-9A-F]{2}/g, lowerCase)]);
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

function base64Forms(value: string): readonly string[] {
  const whole = Buffer.from(value).toString('base64');
  const forms = [whole, whole.replace(/=+$/, ''), ...[0, 1, 2].flatMap((before) => base64Part(value, before))];
  const lines = base64LineLengths.flatMap((length) => wrapped(whole, length));
  return [...forms, ...lines].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

/**
 * The part of the encoded form that does not depend on the bytes before and after the value, such as `user:` before a
 * password. Base64 encodes groups of three bytes, so the three possible offsets give three forms.
 */
function base64Part(value: string, bytesBefore: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(bytesBefore), Buffer.from(value)]);
  const from = Math.ceil((bytesBefore * 8) / 6);
  const part = bytes.toString('base64').slice(from, Math.floor((bytes.length * 8) / 6));
  return part.length < minEncodedPart ? [] : [part];
}

function wrapped(text: string, length: number): readonly string[] {
  if (text.length <= length) return [];
  return (text.match(new RegExp(`.{1,${length}}`, 'g')) ?? []).filter((line) => line.length >= minEncodedPart);
}
