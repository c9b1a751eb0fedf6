import { constants } from 'node:os';
import { AppError } from '@weir/foundation';

/** Parses the name of a signal. Throws for a signal that this system does not have. */
export function parseStopSignal(name = 'SIGTERM'): NodeJS.Signals {
  if (!isSignal(name)) throw new AppError('invalid_request', `This system has no signal ${name}.`);
  return name;
}

function isSignal(name: string): name is NodeJS.Signals {
  return Object.hasOwn(constants.signals, name);
}
