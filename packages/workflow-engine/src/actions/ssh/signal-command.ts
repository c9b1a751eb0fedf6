import { shellQuote } from './remote-call';

/**
 * A command for the same connection that signals the one which runs there already, with everything in its process
 * group: the other child of the host's own process for this connection. The protocol has a request for that too, but
 * hosts refuse it for some users, root among them.
 */
export function signalCommand(signal: string): string {
  // `exec`, so that the parent is the process of the connection, whatever shell the user has.
  return `exec sh -c ${shellQuote(script)} sh ${signal.replace(/^SIG/, '')} </dev/null`;
}

// From /proc where there is one: not every host has a `ps`.
const script = `
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
