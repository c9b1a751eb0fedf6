const command = /`[^`]+`|\$\([^)]/;

/** Whether the text has a command substitution in it, which 1.x ran in defaults and `env`, and which is literal now. */
export function containsCommand(text: string): boolean {
  return command.test(text);
}
