/** Whether a server that listens on this address can be reached from its own machine only. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');
