import { appendToLog } from '../local-command/log-files';

/** Where an action prints to: the log files of its step. */
export interface ActionLog {
  /** To standard output, as it is. */
  out(content: string | Uint8Array): void;
  /** A line to standard output. */
  line(text: string): void;
  /** A line to standard error. */
  note(text: string): void;
}

export function openActionLog({
  stdoutFile,
  stderrFile,
}: {
  readonly stdoutFile: string;
  readonly stderrFile: string;
}) {
  // Both are there also when nothing is printed, like those of a command.
  appendToLog(stdoutFile, '');
  appendToLog(stderrFile, '');
  return {
    out: (content) => appendToLog(stdoutFile, content),
    line: (text) => appendToLog(stdoutFile, `${text}\n`),
    note: (text) => appendToLog(stderrFile, `${text}\n`),
  } satisfies ActionLog;
}
