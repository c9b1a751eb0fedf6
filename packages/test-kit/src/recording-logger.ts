type LogFields = Readonly<Record<string, unknown>>;

/** The shape of service-kit's logger port, repeated here because test-kit may not depend on it. */
export interface StructuralLogger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(fields: LogFields): StructuralLogger;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  /** The fields of the call, which override those of the child logger that made it. */
  readonly fields: LogFields;
}

export interface RecordingLogger extends StructuralLogger {
  /** All log entries so far, children included, in order. */
  readonly entries: readonly LogEntry[];
  readonly messages: (level?: LogLevel) => readonly string[];
}

/** A logger that keeps its entries instead of writing them. */
export function createRecordingLogger(): RecordingLogger {
  const entries: LogEntry[] = [];
  return {
    ...loggerInto(entries, {}),
    entries,
    messages: (level) =>
      entries.filter((entry) => level === undefined || entry.level === level).map((entry) => entry.message),
  };
}

function loggerInto(entries: LogEntry[], bindings: LogFields): StructuralLogger {
  const createMethod = (level: LogLevel) => (fields: LogFields, message: string) => {
    entries.push({ level, message, fields: { ...bindings, ...fields } });
  };
  return {
    debug: createMethod('debug'),
    info: createMethod('info'),
    warn: createMethod('warn'),
    error: createMethod('error'),
    child: (more) => loggerInto(entries, { ...bindings, ...more }),
  };
}
