import type { JsonObject } from './json';

/** How the prompt is given to the program of a harness: as an argument, after a flag, or on standard input. */
export const promptModes = ['arg', 'flag', 'stdin'] as const;
export const promptPositions = ['before_flags', 'after_flags'] as const;
export const flagStyles = ['gnu_long', 'single_dash'] as const;

/** An external program that answers a prompt, and how it is called. */
export interface Harness {
  /** A name that is found in `PATH`, or a path. */
  readonly binary: string;
  /** Before the prompt and all flags. */
  readonly prefix_args?: readonly string[];
  /** Default `arg`. */
  readonly prompt_mode?: (typeof promptModes)[number];
  /** Given exactly with the mode `flag`. */
  readonly prompt_flag?: string;
  /** Default `before_flags`. */
  readonly prompt_position?: (typeof promptPositions)[number];
  /** Default `gnu_long`: `--name value`; `single_dash`: `-name value`. */
  readonly flag_style?: (typeof flagStyles)[number];
  /** The flags of options that have others than their names. */
  readonly option_flags?: Readonly<Record<string, string>>;
}

/** A program whose call is known. Its flags have dashes where options have underscores. */
export interface KnownHarness extends Harness {
  /** Options of every call that does not set them. */
  readonly options?: Readonly<Record<string, boolean>>;
}

export type Harnesses = Readonly<Record<string, Harness>>;

/** What a DAG, with its base configuration, says of harnesses. */
export interface DagHarnesses {
  readonly own: Harnesses | undefined;
  readonly defaults: JsonObject | undefined;
}

/** By name. */
export const knownHarnesses: ReadonlyMap<string, KnownHarness> = new Map([
  ['claude', { binary: 'claude', prefix_args: ['-p'] }],
  ['codex', { binary: 'codex', prefix_args: ['exec'], options: { 'skip-git-repo-check': true } }],
  ['copilot', { binary: 'copilot', prefix_args: ['-p'] }],
  ['opencode', { binary: 'opencode', prefix_args: ['run'] }],
  ['pi', { binary: 'pi', prefix_args: ['-p'] }],
]);
