import type { Client, ClientChannel } from 'ssh2';
import { endOrStop, type StopOptions } from '../../host/concurrency/end-or-stop';
import { connectionLost } from './ssh-errors';
import type { RemoteCall } from './remote-call';
import type { SshConnection } from './ssh-connection';
import { shellQuote } from '../../values/shell-text/shell-quote';

/** A remote command ends with an exit code, or by a signal. */
export interface RemoteExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RemoteOptions extends Omit<StopOptions, 'send'> {
  readonly onStdout: (part: Buffer) => void;
  readonly onStderr: (part: Buffer) => void;
}

/**
 * Runs one command on the other host to its end, or until it is stopped. Rejects with an `AppError` when the
 * connection is lost, and with what a listener throws.
 */
export async function runRemote(
  { client, lost }: SshConnection,
  call: RemoteCall,
  options: RemoteOptions,
): Promise<RemoteExit | undefined> {
  const channel = await Promise.race([open(client, call.command), lost]);
  try {
    const ended = new Ended(channel, options);
    channel.end(call.input);
    const end = Promise.race([ended.promise, lost]);
    return await endOrStop(end, { ...options, send: (name) => sendSignal(client, name) });
  } finally {
    channel.close();
  }
}

function open(client: Client, command: string): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error) reject(connectionLost(error));
      else resolve(channel);
    });
  });
}

class Ended {
  readonly promise: Promise<RemoteExit>;
  #exit: RemoteExit | undefined;

  constructor(channel: ClientChannel, { onStdout, onStderr }: RemoteOptions) {
    this.promise = new Promise((resolve, reject) => {
      const guarded = (take: (part: Buffer) => void) => (part: Buffer) => {
        try {
          take(part);
        } catch (error) {
          // An exception in a listener would crash the server.
          reject(error instanceof Error ? error : new Error('The output could not be taken.', { cause: error }));
        }
      };
      channel.on('data', guarded(onStdout));
      channel.stderr.on('data', guarded(onStderr));
      channel.on('exit', (exitCode: number | null, signal?: NodeJS.Signals) => {
        this.#exit = { exitCode, signal: signal ?? null };
      });
      channel.on('error', (error: unknown) => reject(connectionLost(error)));
      // A channel that closes without an exit status lost its connection.
      channel.on('close', () => (this.#exit === undefined ? reject(connectionLost()) : resolve(this.#exit)));
    });
    this.promise.catch(() => undefined);
  }
}

/** Delivery is not confirmed; only the end of the command shows it. */
function sendSignal(client: Client, name: string): void {
  client.exec(signalCommand(name), (error, channel) => {
    // Refused by hosts that allow one command per connection; then the connection is just closed.
    if (error) return;
    channel.on('error', () => undefined);
    channel.stderr.resume();
    channel.resume().end();
  });
}

/**
 * A command that signals the process group of the command running on the same connection, which is the other child of
 * the server process for this connection. The protocol has a request for that, but hosts refuse it for some users, root
 * among them.
 */
function signalCommand(signal: string): string {
  // `exec` makes the connection's process the parent, whatever the login shell is.
  return `exec sh -c ${shellQuote(signalScript)} sh ${signal.replace(/^SIG/, '')} </dev/null`;
}

// Uses /proc where it exists, since not every host has `ps`.
const signalScript = `
signal=$1
if [ -r /proc/self/stat ]; then
  for file in /proc/[0-9]*/stat; do
    { read -r line < "$file"; } 2>/dev/null || continue
    pid=\${line%% *}
    set -- \${line##*) }
    echo "$pid $2"
  done
else
  ps -A -o pid= -o ppid=
fi | while read -r pid parent; do
  if [ "$parent" = "$PPID" ] && [ "$pid" != "$$" ]; then kill -s "$signal" -- "-$pid"; fi
done`;
