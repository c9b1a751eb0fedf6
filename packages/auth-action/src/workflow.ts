/** What the action needs of the runner that it runs in; `main.ts` makes it of the environment, specs make their own. */
export interface Workflow {
  /** As the runner passes it on: trimmed, `undefined` where the variable is missing. */
  readonly input: (name: string) => string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  debug(text: string): void;
  info(text: string): void;
  notice(text: string): void;
  warning(text: string): void;
  /** Hidden in every log from now on, line by line. To be called before anything can print it. */
  hide(secret: string): void;
  output(name: string, value: string): void;
  exportVariable(name: string, value: string): void;
  /** Comes back in post as `STATE_<name>`; seen in debug logs, so never a secret unless it was hidden. */
  saveState(name: string, value: string): void;
  /** Markdown, added to the summary of the step. */
  summary(markdown: string): Promise<void>;
}
