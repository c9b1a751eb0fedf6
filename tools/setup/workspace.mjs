// Where things are, and the one kind of error that the set-up shows to a person.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const runtimeFolder = path.join(root, '.runtime');
export const logFolder = path.join(runtimeFolder, 'logs');

export const inWorkspace = (...parts) => path.join(root, ...parts);
export const isPresent = (...parts) => existsSync(inWorkspace(...parts));

/** A failure with one sentence for a person; everything else is a defect of the set-up and shows its stack. */
export class SetupError extends Error {
  name = 'SetupError';

  constructor(message, { exitCode = 1, cause } = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}
