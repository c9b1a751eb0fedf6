import { hash } from 'node:crypto';

/**
 * The signature of a thinking block. Clients take a block without one for invalid and drop it from their history, which
 * would change the conversation. The proxy does not check it, because only the sampled text counts.
 */
export function sign(thinking: string): string {
  return hash('sha256', thinking, 'base64');
}
