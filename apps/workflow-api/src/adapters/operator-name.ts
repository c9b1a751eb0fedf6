import { userInfo } from 'node:os';

/** Returns the user of this process, who is recorded with decisions. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return 'command line';
  }
}
