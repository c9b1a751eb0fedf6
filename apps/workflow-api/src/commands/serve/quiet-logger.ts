import { createLogger, type Logger } from '@weir/service-kit';
import type { Config } from '../../config';
import type { ProgramHost } from '../shared/program-host';

/** What the command prints is the news; the log only has what is wrong, unless more was asked for. */
export function quietLogger({
  config,
  logDestination,
}: Pick<ProgramHost, 'logDestination'> & { readonly config: Pick<Config, 'log'> }): Logger {
  const { level, format } = config.log;
  return createLogger({ level: level === 'info' ? 'warn' : level, format, destination: logDestination });
}
