/**
 * The features of the CI runner that the action uses. `main.ts` implements it over the toolkit, specs implement their
 * own.
 */
export interface ActionsRuntime {
  /** The trimmed value; `undefined` if the runner did not set the variable of the input. */
  readonly input: (name: string) => string | undefined;
  /** The defaults in action.yml by input; empty for an input without a default. */
  readonly inputDefaults: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  debug(text: string): void;
  info(text: string): void;
  notice(text: string): void;
  warning(text: string): void;
  /** Masks each line of the secret in every log from now on. Call it before anything can print the secret. */
  mask(secret: string): void;
  setOutput(name: string, value: string): void;
  exportVariable(name: string, value: string): void;
  /** The post step reads it as `STATE_<name>`. It is visible in debug logs, so mask a secret before saving it. */
  saveState(name: string, value: string): void;
  /** Appends Markdown to the summary of the step. */
  writeSummary(markdown: string): void;
}
