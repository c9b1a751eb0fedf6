import { createServer } from 'node:net';

/**
 * A TCP port on the loopback address that nothing listened on a moment ago. Nothing reserves it: use it at once, and
 * prefer port 0 where the program under test can report what it got.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('The listener has no port.'));
        else resolve(address.port);
      });
    });
  });
}
