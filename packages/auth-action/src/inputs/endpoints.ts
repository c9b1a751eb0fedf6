import { isLoopbackHost } from '@weir/foundation';
import type { Endpoints } from './settings';
import type { InputReader } from './input-reader';
import { validInput, invalidInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';
import { findCommonMistake } from './common-mistakes';

/** Endpoints that are not set are derived from the universe. */
export function readEndpoints(reader: InputReader, universe: string): Endpoints {
  return {
    sts: reader.readOptional('sts_endpoint', parseEndpoint) ?? `https://sts.${universe}`,
    iamCredentials:
      reader.readOptional('iam_credentials_endpoint', parseEndpoint) ?? `https://iamcredentials.${universe}`,
    oauth2: reader.readOptional('oauth2_endpoint', parseEndpoint) ?? `https://oauth2.${universe}`,
  };
}

/** A base URL. Tokens are sent to it, so it must be https or a loopback address. */
export function parseEndpoint(text: string): ParsedInput<string> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  const sentence = describeMistake(text);
  if (sentence !== undefined) return invalidInput('endpoint_invalid', sentence);
  return validInput(new URL(text).href.replace(/\/+$/, ''));
}

function describeMistake(text: string): string | undefined {
  if (!URL.canParse(text)) return `is ${quoteInput(text)}, which is not a URL. Use https:// and a host.`;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'contains a user name or password. Remove it.';
  if (/[?#]/.test(text)) return `is ${quoteInput(text)}. Remove the query and the fragment.`;
  if (/\/v1\/*$/.test(url.pathname)) return `is ${quoteInput(text)}. Remove /v1, which the action adds.`;
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))) return undefined;
  return `is ${quoteInput(text)}. Use an https URL; http is allowed for 127.0.0.1, [::1] and localhost only.`;
}
