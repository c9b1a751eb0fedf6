import { isLoopbackHost } from '@weir/foundation';
import { z } from 'zod';

/** Whether data sent to the address cannot be read on the way: it uses https, or belongs to this machine. */
export function isSecureAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || isLoopbackHost(url.hostname));
}

/** Such an address in a setting. */
export const SecureAddress = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .refine(isSecureAddress, 'must be an https address; http is for this machine only');
