const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/;

/** Whether a host name or address, also in the brackets of a URL, is `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopbackHost(host: string): boolean {
  return loopback.test(host);
}
