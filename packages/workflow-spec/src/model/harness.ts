import type { JsonObject } from './json';

/** The ways in which the program of a harness gets the prompt: as an argument, after a flag, or on standard input. */
export const promptModes = ['arg', 'flag', 'stdin'] as const;
export const promptPositions = ['before_flags', 'after_flags'] as const;
export const flagStyles = ['gnu_long', 'single_dash'] as const;

/** An external program that answers a prompt, with the form of its calls. */
export interface Harness {
  /** A name that is found in `PATH`, or a path. */
  readonly binary: string;
  /** Arguments before the prompt and all flags. */
  readonly prefix_args?: readonly string[];
  /** Default: `arg`. */
  readonly prompt_mode?: (typeof promptModes)[number];
  /** Required with the mode `flag`, and not allowed with others. */
  readonly prompt_flag?: string;
  /** Default: `before_flags`. */
  readonly prompt_position?: (typeof promptPositions)[number];
  /** `gnu_long`: `--name value`; `single_dash`: `-name value`. Default: `gnu_long`. */
  readonly flag_style?: (typeof flagStyles)[number];
  /** The flags of options whose flags differ from their names. */
  readonly option_flags?: Readonly<Record<string, string>>;
}

/** A program with a known form of calls. Its flags have dashes where options have underscores. */
export interface KnownHarness extends Harness {
  /** Options of every call that does not set them. */
  readonly options?: Readonly<Record<string, boolean>>;
}

export type Harnesses = Readonly<Record<string, Harness>>;

/** The settings of a DAG, with its base configuration, for harnesses. */
export interface DagHarnesses {
  readonly own: Harnesses | undefined;
  readonly defaults: JsonObject | undefined;
}

/** The known harnesses by name. */
export const knownHarnesses: ReadonlyMap<string, KnownHarness> = new Map([
  ['claude', { binary: 'claude', prefix_args: ['-p'] }],
  ['codex', { binary: 'codex', prefix_args: ['exec'], options: { 'skip-git-repo-check': true } }],
  ['copilot', { binary: 'copilot', prefix_args: ['-p'] }],
  ['opencode', { binary: 'opencode', prefix_args: ['run'] }],
  ['pi', { binary: 'pi', prefix_args: ['-p'] }],
]);
