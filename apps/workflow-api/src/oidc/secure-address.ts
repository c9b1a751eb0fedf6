import { isLoopbackHost } from '@weir/foundation';

/** Whether what is sent to the address cannot be read on the way: https, or this machine. */
export function isSecureAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || isLoopbackHost(url.hostname));
}
