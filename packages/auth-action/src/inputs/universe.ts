import type { ServiceAccountKey } from './settings';
import { findCommonMistake } from './common-mistakes';
import type { InputReader } from './input-reader';
import { invalidInput, validInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';

export const defaultUniverse = 'googleapis.com';

const host = /^(?=.{1,200}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export function parseUniverse(text: string): ParsedInput<string> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  if (host.test(text)) return validInput(text);
  return invalidInput(
    'universe_invalid',
    `is ${quoteInput(text)}. Use a lower-case domain such as ${defaultUniverse}.`,
  );
}

/**
 * The universe of the input, or of the key if the input has its default. Reports two that differ; a key that names none
 * is doubtful in another universe than that of Google.
 */
export function readUniverse(reader: InputReader, key: ServiceAccountKey | undefined): string {
  const universe = reader.read('universe', parseUniverse);
  if (key === undefined || reader.problems.some(({ input }) => input === 'universe')) return universe;
  const ownUniverse = key.universeDomain ?? universe;
  if (key.universeDomain === undefined && universe !== defaultUniverse) {
    reader.warn(
      'universe',
      `is ${universe}, but the key in credentials_json names no universe: keys of others than ${defaultUniverse} do.`,
    );
  } else if (universe !== ownUniverse && universe !== defaultUniverse) {
    // The message does not repeat any text of the key.
    const message = `is ${universe}, but the key in credentials_json is for another universe. Remove the input, or set it to the universe_domain of the key.`;
    reader.report('universe', invalidInput('universe_mismatch', message));
  }
  return ownUniverse;
}
