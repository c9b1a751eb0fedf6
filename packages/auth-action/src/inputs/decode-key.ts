import { parsed, wrong, type Parsed } from './parsed';
import { findQuotes, findUnexpanded } from './slips';

const maxKeyLength = 65_536;
/** Both alphabets, wrapped or not. */
const base64 = /^[A-Za-z0-9+/_\s-]+={0,2}$/;

/** The JSON object in a text that is JSON or base64 of it. No message repeats anything of the text. */
export function decodeKey(text: string): Parsed<Readonly<Record<string, unknown>>> {
  if (text.length > maxKeyLength) {
    return wrong('key_too_large', `has ${text.length} characters; a key has at most ${maxKeyLength}.`);
  }
  const json = text.startsWith('{') ? text : jsonInBase64(text);
  if (json === undefined) return findQuotes(text) ?? findUnexpanded(text) ?? notAKey(text);
  try {
    // A JSON text that starts with a brace is an object.
    return parsed(JSON.parse(json) as Readonly<Record<string, unknown>>);
  } catch {
    // The parser's own message quotes the text.
    return wrong(
      'key_unreadable',
      String.raw`starts like JSON but is not valid JSON: it was cut or changed on its way. Often the \n in private_key have become line breaks; storing the key file as base64 avoids that.`,
    );
  }
}

function jsonInBase64(text: string): string | undefined {
  if (!base64.test(text)) return undefined;
  const json = Buffer.from(text, 'base64').toString('utf8').trim();
  return json.startsWith('{') ? json : undefined;
}

function notAKey(text: string): Parsed<never> {
  const hint = /\.(?:json|p12|pem)$/i.test(text) ? ' It looks like a path: give what is in the file.' : '';
  return wrong(
    'key_unreadable',
    `is neither JSON nor base64 of JSON. Give the whole content of the key file, as it was downloaded.${hint}`,
  );
}
