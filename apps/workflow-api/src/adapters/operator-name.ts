import { userInfo } from 'node:os';

/** Who sits at the command line, for what is kept about a decision. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return 'command line';
  }
}
