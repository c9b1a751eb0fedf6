// Runs a program in a network of its own, from which only one port of 127.0.0.1 leads out: to the Unix socket SOCKET.
// Arguments: PORT SOCKET COMMAND ARGS…
import { spawn, spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';

const [port, socket, command, ...args] = process.argv.slice(2);
const up = spawnSync('ip', ['link', 'set', 'lo', 'up'], { stdio: ['ignore', 'inherit', 'inherit'] });
if (up.status !== 0) process.exit(1);
const relay = createServer((client) => {
  const server = connect(socket);
  client.pipe(server).pipe(client);
  client.on('error', () => server.destroy());
  server.on('error', () => client.destroy());
});
relay.listen(Number(port), '127.0.0.1', () => {
  // A kill of this program is a kill of the enclosed one.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
});
