import { userInfo } from 'node:os';

/** The user of this process, recorded with decisions. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return 'command line';
  }
}
