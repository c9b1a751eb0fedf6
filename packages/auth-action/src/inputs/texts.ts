import { validInput, invalidInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';
import { findCommonMistake, findQuotes, findUnexpanded } from './common-mistakes';

const maxAudienceLength = 2048;
const maxReasonLength = 1024;
// Excludes control characters and separators of lines and paragraphs. The ranges are spelled out because the tables of
// Unicode take a millisecond to load.
const oneLine = /^[\x20-\x7e\xa0-\u2027\u202a-\uffff]*$/;
const maxPathLength = 1024;
/** The characters of an OAuth 2.0 scope. */
const scopeForm = /^[\x21\x23-\x5b\x5d-\x7e]{1,512}$/;

export function parseAudience(text: string): ParsedInput<string> {
  const slip = findQuotes(text) ?? findUnexpanded(text);
  if (slip !== undefined) return slip;
  if (text.length <= maxAudienceLength && oneLine.test(text)) return validInput(text);
  return invalidInput(
    'audience_invalid',
    `is ${quoteInput(text)}. Use one line of at most ${maxAudienceLength} characters.`,
  );
}

export function parseScope(text: string): ParsedInput<string> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  if (scopeForm.test(text)) return validInput(text);
  return invalidInput(
    'scope_invalid',
    `is ${quoteInput(text)}, which is not a scope. Use the form https://www.googleapis.com/auth/….`,
  );
}

/** The name is also that of a gcloud configuration. */
export function parseIdentityName(text: string): ParsedInput<string> {
  if (/^[a-z][a-z0-9-]{0,30}$/.test(text)) return validInput(text);
  return invalidInput(
    'identity_invalid',
    `is ${quoteInput(text)}. Use a name of at most 31 lower-case letters, digits and hyphens that starts with a letter.`,
  );
}

export function parsePath(text: string): ParsedInput<string> {
  const slip = findQuotes(text) ?? findUnexpanded(text);
  if (slip !== undefined) return slip;
  if (text.length <= maxPathLength && oneLine.test(text)) return validInput(text);
  return invalidInput('path_invalid', `is ${quoteInput(text)}. Use one line of at most ${maxPathLength} characters.`);
}

export function parseRequestReason(text: string): ParsedInput<string> {
  if (text.length <= maxReasonLength && oneLine.test(text)) return validInput(text);
  return invalidInput(
    'request_reason_invalid',
    `is ${quoteInput(text)}. Use one line of at most ${maxReasonLength} characters: it is sent as a header.`,
  );
}
