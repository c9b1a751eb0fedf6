import { createServer } from 'node:net';

/**
 * A free TCP port on the loopback address. It is not reserved: use it immediately, and prefer port 0 if the program under
 * test can report its port.
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
