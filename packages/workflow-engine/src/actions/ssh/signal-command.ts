import { shellQuote } from '../../values/shell-text/shell-quote';

/**
 * A command that signals the process group of the command running on the same connection, which is the other child of
 * the server process for this connection. The protocol has a request for that, but hosts refuse it for some users, root
 * among them.
 */
export function signalCommand(signal: string): string {
  // `exec` makes the connection's process the parent, whatever the login shell is.
  return `exec sh -c ${shellQuote(script)} sh ${signal.replace(/^SIG/, '')} </dev/null`;
}

// Uses /proc where it exists, since not every host has `ps`.
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
