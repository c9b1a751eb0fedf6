import { createLogger, type Logger } from '@weir/service-kit';
import type { Config } from '../../config';
import type { ProgramHost } from '../shared/program-host';

/** The command prints its news itself; the log has only errors and warnings, unless more was asked for. */
export function quietLogger({
  config,
  logDestination,
}: Pick<ProgramHost, 'logDestination'> & { readonly config: Pick<Config, 'log'> }): Logger {
  const { level, format } = config.log;
  return createLogger({ level: level === 'info' ? 'warn' : level, format, destination: logDestination });
}
