import { pino, type DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { describeError } from './describe-error';
import type { LogLevel } from './log-levels';

export type LogFields = Readonly<Record<string, unknown>>;

/** error = a person must act; warn = we recovered; info = lifecycle and requests; debug = development. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A logger that adds these fields to every line. */
  child(fields: LogFields): Logger;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

// These fields are hidden on the line itself and up to two levels below. Secrets are also wrapped in `Secret`; this is
// a second protection.
const secretFields = [
  'password',
  'passwordHash',
  'newPassword',
  'currentPassword',
  'token',
  'secret',
  'key',
  'authorization',
  'cookie',
];
const redactedPaths = secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/**
 * Creates a pino logger that implements the port. Lines are written synchronously, so a crash loses none. An error in
 * the field `error` is written with its stack and causes; fields named like a secret show `[secret]` instead.
 */
export function createLogger({ level, format, destination }: LoggerOptions): Logger {
  const stream = destination ?? pino.destination({ dest: 1, sync: true });
  return pino(
    {
      level,
      redact: { paths: redactedPaths, censor: '[secret]' },
      serializers: { error: describeError },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    format === 'json' ? stream : textStream(stream),
  );
}

// The stream of pino-pretty is a pipeline, which loses its buffered lines when the process exits.
function textStream(destination: DestinationStream): DestinationStream {
  const prettify = prettyFactory({ colorize: false, ignore: 'pid,hostname', singleLine: true });
  return { write: (line) => destination.write(prettify(line)) };
}
