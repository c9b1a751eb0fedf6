import { constants } from 'node:os';
import { AppError } from '@weir/errors';

/** The signal as this system knows it. Throws for one of another system: the step could not be stopped by it. */
export function parseStopSignal(name = 'SIGTERM'): NodeJS.Signals {
  if (!isSignal(name)) throw new AppError('invalid_request', `This system has no signal ${name}.`);
  return name;
}

function isSignal(name: string): name is NodeJS.Signals {
  return Object.hasOwn(constants.signals, name);
}
