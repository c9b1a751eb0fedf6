import { validInput, invalidInput, type ParsedInput } from './parsed-input';
import { findQuotes, findUnexpanded } from './common-mistakes';

const maxKeyLength = 65_536;
/** Standard and URL-safe alphabet, with or without line breaks. */
const base64 = /^[A-Za-z0-9+/_\s-]+={0,2}$/;

/** Decodes a key from JSON or from base64 of JSON. Messages never repeat any part of the text. */
export function decodeKey(text: string): ParsedInput<Readonly<Record<string, unknown>>> {
  if (text.length > maxKeyLength) {
    return invalidInput('key_too_large', `has ${text.length} characters, but a key has at most ${maxKeyLength}.`);
  }
  const json = text.startsWith('{') ? text : jsonInBase64(text);
  if (json === undefined) return findQuotes(text) ?? findUnexpanded(text) ?? notAKey(text);
  try {
    // JSON that starts with a brace is an object.
    return validInput(JSON.parse(json) as Readonly<Record<string, unknown>>);
  } catch {
    // The message of the parser quotes the text.
    return invalidInput(
      'key_unreadable',
      String.raw`starts like JSON but is not valid JSON: it was truncated or changed. Often the \n in private_key were replaced with line breaks; storing the key file as base64 avoids that.`,
    );
  }
}

function jsonInBase64(text: string): string | undefined {
  if (!base64.test(text)) return undefined;
  const json = Buffer.from(text, 'base64').toString('utf8').trim();
  return json.startsWith('{') ? json : undefined;
}

function notAKey(text: string): ParsedInput<never> {
  const hint = /\.(?:json|p12|pem)$/i.test(text) ? ' It looks like a path: use the content of the file.' : '';
  return invalidInput(
    'key_unreadable',
    `is neither JSON nor base64 of JSON. Use the whole content of the key file, as downloaded.${hint}`,
  );
}
