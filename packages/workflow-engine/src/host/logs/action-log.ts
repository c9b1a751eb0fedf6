import type { StepLogFiles } from '../../model/run-model/log-layout';
import type { LogLimit } from '../../model/ports/log-limits';
import type { Masker } from '../../values/masking/masker';
import { appendToLog, listLogs } from './log-files';
import { watchLogs } from './watch-logs';
import { openLogTimes } from './log-times';
import type { Clock } from '../../model/ports/clock';

/** Prints to the log files of the step. */
export interface ActionLog {
  /** To standard output, unchanged. */
  out(content: string | Uint8Array): void;
  /** To standard error, unchanged. */
  err(content: string | Uint8Array): void;
  /** A line to standard output. */
  line(text: string): void;
  /** A line to standard error. */
  note(text: string): void;
}

export interface OpenActionLog extends ActionLog {
  /** Aborted when a log exceeds its limit and the step is to fail for it. */
  readonly exceeded: AbortSignal;
  /** Writes what was held back because it could have been the start of a secret. */
  close(): void;
}

export interface ActionLogFiles extends StepLogFiles {
  readonly masker?: Masker | undefined;
  readonly copies?: Partial<StepLogFiles> | undefined;
  readonly logLimit?: LogLimit | undefined;
}

type Stream = keyof StepLogFiles;

/** Throws `logs_not_writable`, as its methods do. */
export function openActionLog(files: ActionLogFiles, clock: Pick<Clock, 'now'>): OpenActionLog {
  const times = openLogTimes(files, clock);
  let writing: Stream | undefined;
  const open = (stream: Stream) => {
    const output = openStream([files[stream], files.copies?.[stream]], files.masker);
    return {
      ...output,
      write: (content: string | Uint8Array): void => {
        if (writing !== undefined && writing !== stream) times.separate();
        writing = stream;
        output.write(content);
      },
    };
  };
  const out = open('stdoutFile');
  const err = open('stderrFile');
  const watch = watchLogs(listLogs(files), { limit: files.logLimit, times });
  return {
    exceeded: watch.exceeded,
    out: out.write,
    err: err.write,
    line: (text) => out.write(`${text}\n`),
    note: (text) => err.write(`${text}\n`),
    close: () => {
      out.close();
      err.close();
      watch.close();
    },
  };
}

function openStream(named: readonly (string | undefined)[], masker: Masker | undefined) {
  const files = named.filter((file) => file !== undefined);
  const masking = masker?.stream();
  const append = (content: string | Uint8Array): void => {
    for (const file of files) appendToLog(file, content);
  };
  // The files exist even when nothing is printed, like those of a command.
  append('');
  return {
    write: (content: string | Uint8Array): void =>
      append(
        masking === undefined ? content : masking.push(typeof content === 'string' ? Buffer.from(content) : content),
      ),
    close: (): void => {
      const rest = masking?.end();
      if (rest !== undefined && rest.length > 0) append(rest);
    },
  };
}
