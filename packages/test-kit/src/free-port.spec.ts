import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { freePort } from './free-port';

describe('freePort', () => {
  it('names a loopback port that can be listened on', async () => {
    const port = await freePort();
    const server = createServer((socket) => socket.end('hello'));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect(port, '127.0.0.1');
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    expect(greeting.toString()).toBe('hello');
    socket.destroy();
    server.close();
  });
});
