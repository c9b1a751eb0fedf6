import { parsed, wrong, type Parsed } from './parsed';
import { show } from './show';
import { findSlip } from './slips';

const maxAudienceLength = 2048;
const maxReasonLength = 1024;
/** What OAuth 2.0 allows in a scope. */
const scopeForm = /^[\x21\x23-\x5b\x5d-\x7e]{1,512}$/;

export function parseAudience(text: string): Parsed<string> {
  const slip = findSlip(text);
  if (slip !== undefined) return slip;
  if (text.length <= maxAudienceLength) return parsed(text);
  return wrong('audience_invalid', `has ${text.length} characters. Give at most ${maxAudienceLength}.`);
}

export function parseScope(text: string): Parsed<string> {
  const slip = findSlip(text);
  if (slip !== undefined) return slip;
  if (scopeForm.test(text)) return parsed(text);
  return wrong('scope_invalid', `is ${show(text)}, which is no scope. Give it as https://www.googleapis.com/auth/….`);
}

/** Goes into a header as it is. */
export function parseRequestReason(text: string): Parsed<string> {
  if (text.length <= maxReasonLength && /^[\x20-\x7e]+$/.test(text)) return parsed(text);
  return wrong(
    'request_reason_invalid',
    `is ${show(text)}. Give one line of at most ${maxReasonLength} plain characters (ASCII): it is sent as a header.`,
  );
}
