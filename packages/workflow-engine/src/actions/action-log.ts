import type { StepLogFiles } from '../logs/log-layout';
import type { Masker } from '../masking/masker';
import { appendToLog } from '../local-command/log-files';

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
  /** Writes what was held back because it could have been the start of a secret. */
  close(): void;
}

export interface ActionLogFiles extends StepLogFiles {
  readonly masker?: Masker | undefined;
  readonly copies?: Partial<StepLogFiles> | undefined;
}

export function openActionLog({ stdoutFile, stderrFile, masker, copies }: ActionLogFiles): OpenActionLog {
  const out = openStream([stdoutFile, copies?.stdoutFile], masker);
  const err = openStream([stderrFile, copies?.stderrFile], masker);
  return {
    out: out.write,
    err: err.write,
    line: (text) => out.write(`${text}\n`),
    note: (text) => err.write(`${text}\n`),
    close: () => {
      out.close();
      err.close();
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
