import { isLoopbackHost } from '@weir/foundation';

/** Whether data sent to the address cannot be read on the way: it uses https, or belongs to this machine. */
export function isSecureAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || isLoopbackHost(url.hostname));
}
