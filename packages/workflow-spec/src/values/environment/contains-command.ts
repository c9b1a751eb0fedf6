const command = /`[^`]+`|\$\([^)]/;

/**
 * Whether the string has a command substitution, which 1.x executed in defaults and `env`, and which is literal now.
 */
export function containsCommand(text: string): boolean {
  return command.test(text);
}
