import type { ProcessExit } from '../spawner/process-exit';

// CSI sequences of terminals (colours, cursor), then every control character but tab and newline.
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is taken out
const unprintable = /\u001B\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000B-\u001F\u007F]/g;

/**
 * The reason of a failure: exit status and the last line of stderr, which mostly says what went wrong, and below it the
 * end of stderr where that has more lines.
 */
export function failureText({ exitCode, signal }: ProcessExit, stderrTail: string): string {
  const status = signal === null ? `exit status ${exitCode ?? 'unknown'}` : `ended by ${signal}`;
  const tail = stderrTail.replace(unprintable, '').trim();
  if (tail === '') return status;
  const last = tail.slice(tail.lastIndexOf('\n') + 1);
  return last === tail ? `${status}: ${tail}` : `${status}: ${last}\n${tail}`;
}
