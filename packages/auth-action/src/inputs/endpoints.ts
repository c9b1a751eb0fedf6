import type { Endpoints } from '../settings';
import type { InputReader } from './input-reader';
import { parsed, wrong, type Parsed } from './parsed';
import { show } from './show';
import { findSlip } from './slips';

export const defaultUniverse = 'googleapis.com';

const host = /^(?=.{1,200}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function parseUniverse(text: string): Parsed<string> {
  const slip = findSlip(text);
  if (slip !== undefined) return slip;
  if (host.test(text)) return parsed(text);
  return wrong('universe_invalid', `is ${show(text)}. Give a domain alone, in lower case, such as ${defaultUniverse}.`);
}

/** Those that are not given follow from the universe. */
export function readEndpoints(reader: InputReader, universe: string): Endpoints {
  return {
    sts: reader.read('sts_endpoint', parseEndpoint) ?? `https://sts.${universe}`,
    iamCredentials: reader.read('iam_credentials_endpoint', parseEndpoint) ?? `https://iamcredentials.${universe}`,
    oauth2: reader.read('oauth2_endpoint', parseEndpoint) ?? `https://oauth2.${universe}`,
  };
}

/** A base address; tokens are sent to it, so anything but https needs to stay on the machine. */
export function parseEndpoint(text: string): Parsed<string> {
  const slip = findSlip(text);
  if (slip !== undefined) return slip;
  const sentence = mistakeIn(text);
  if (sentence !== undefined) return wrong('endpoint_invalid', sentence);
  return parsed(new URL(text).href.replace(/\/+$/, ''));
}

function mistakeIn(text: string): string | undefined {
  if (!URL.canParse(text)) return `is ${show(text)}, which is no address. Give https:// and a host.`;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'has a user name or a password in it. Take it away.';
  if (/[?#]/.test(text)) return `is ${show(text)}. Take away what follows the ? or the #.`;
  if (/\/v1\/*$/.test(url.pathname)) return `is ${show(text)}. Take away /v1, which the action adds.`;
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname))) return undefined;
  return `is ${show(text)}. Give an https address; http is only for 127.0.0.1, [::1] and localhost.`;
}
