import type { JsonValue } from '../../model/json';
import { limits } from '../../model/limits';
import { readNonEmptyText, readText } from '../readers';
import { shape, type Shape } from '../shape';
import {
  anyJson,
  boolean,
  reportInvalid,
  listShape,
  recordShape,
  number,
  enumShape,
  oneOrMany,
  orQuotedNumber,
  orReference,
  text,
  wholeNumber,
} from '../shapes';

/** The size limit of a list or map of settings, named for messages. */
export function settingBound(what: string) {
  return { limit: limits.settingEntries, code: 'invalid_value', what } as const;
}

export const flag = orReference(boolean);

export function whole(minimum: number, maximum?: number): Shape<number | string, number> {
  return orReference(wholeNumber(minimum, maximum));
}

export function word<const Word extends string>(...words: readonly Word[]): Shape<string, Word> {
  return orReference(enumShape(...words));
}

export const texts = (what: string): Shape<readonly string[]> => listShape(text, settingBound(what));
/** A single text counts as a list of one. */
export const oneOrTexts = (what: string): Shape<readonly string[]> => oneOrMany(text, settingBound(what));
export const textMap = (what: string): Shape<Readonly<Record<string, string>>> => recordShape(text, settingBound(what));

export const mapOfAny = (what: string): Shape<Readonly<Record<string, JsonValue>>> =>
  recordShape(anyJson, settingBound(what));

export const listOfAny = (what: string): Shape<readonly JsonValue[]> => listShape(anyJson, settingBound(what));

export const seconds = orReference(
  shape(
    (value) => {
      const found = number.read(value);
      return found === undefined || found >= 0 ? found : reportInvalid(value, 'must be 0 or more');
    },
    { type: 'number', minimum: 0 },
  ),
);

export const port = orReference(orQuotedNumber(wholeNumber(1, 65_535)));

const urlPattern = /^https?:\/\/[^\s/?#]+\S*$/i;

/** An absolute http or https URL, or a string with a reference in it. */
export const webUrl = orReference(
  shape<string>(
    (value) => {
      const found = readText(value);
      if (found === undefined || urlPattern.test(found)) return found;
      return reportInvalid(value, 'must be a URL that begins with http:// or https://');
    },
    { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+\\S*$' },
  ),
);

const modePattern = /^(?:0o?)?([0-7]{3,4})$/;

/** File permissions in octal digits: `644`, `0755`. */
export const fileMode = orReference(
  shape<string>(
    (value) => {
      const found = readText(value);
      if (found === undefined) return undefined;
      return modePattern.exec(found)?.[1] ?? reportInvalid(value, 'must be octal file permissions such as 0644');
    },
    {
      anyOf: [
        { type: 'string', pattern: modePattern.source },
        { type: 'integer', minimum: 0, maximum: 7_777 },
      ],
    },
  ),
);

/** One character, which separates columns. */
export const character = orReference(
  shape<string>(
    (value) => {
      const found = readText(value);
      if (found === undefined || Array.from(found).length === 1) return found;
      return reportInvalid(value, 'must be one character');
    },
    { type: ['string', 'number'], minLength: 1, maxLength: 1 },
  ),
);

/** A relative path inside the folder of artifacts. */
export const artifactPath = shape<string>(
  (value) => {
    const found = readNonEmptyText(value);
    if (found === undefined || isInside(found)) return found;
    return reportInvalid(value, 'must be a relative path without ".."');
  },
  {
    type: ['string', 'number', 'boolean'],
    minLength: 1,
    not: { type: 'string', pattern: '^(?:[/\\\\]|[A-Za-z]:)|(?:^|[/\\\\])\\.\\.(?:[/\\\\]|$)' },
  },
);

function isInside(path: string): boolean {
  return !/^(?:[/\\]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes('..');
}

const fingerprintPattern = '^[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){31}|[0-9A-Fa-f]{62})$';

/** The SHA-256 of a certificate, as `openssl x509 -fingerprint -sha256` prints it or without colons. */
export const fingerprint = orReference(
  shape<string>(
    (value) => {
      const found = readText(value);
      if (found === undefined || new RegExp(fingerprintPattern).test(found)) return found;
      return reportInvalid(value, 'must be a SHA-256 of 64 hexadecimal digits, with or without colons');
    },
    { type: 'string', pattern: fingerprintPattern },
  ),
);
