/** A program and its arguments, started without a shell. */
export interface Invocation {
  readonly program: string;
  readonly args: readonly string[];
}

/** A program with everything that its start is given. */
export interface ProcessStart extends Invocation {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** The processes of one run see its own files, and nothing of other runs or of the server. */
export interface Enclosure {
  /** The folder of the run's scripts while they execute. */
  readonly scriptsFolder: string;
  /**
   * The start of the same program inside: with the same process id, exit code and signals. Throws `isolation_failed`, and
   * an error with the code of the system for a program that cannot be started.
   */
  enter(start: ProcessStart): Promise<ProcessStart>;
  /**
   * For what the server itself reads and writes on behalf of a step. Throws `path_closed`.
   *
   * @param options.isTree Whether everything below the path counts, too.
   */
  assertOpen(path: string, options?: { readonly isTree?: boolean }): void;
  /** Processes that are inside stay inside. */
  close(): Promise<void>;
}

export interface EnclosedRun {
  /** Unique among all runs. */
  readonly id: string;
  /** Absolute; created when missing. */
  readonly folders: readonly string[];
}

/** Keeps the processes of steps away from the secrets of the server and from other runs. */
export interface StepIsolation {
  /** Takes effect with the first process. */
  enclose(run: EnclosedRun): Enclosure;
}
