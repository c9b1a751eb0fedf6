import type { Tool } from '@weir/workflow-spec';

/** Command-line tools for the steps of runs. */
export interface ToolInstaller {
  /**
   * The folders that hold the commands of the tools, in their order. What is not there is installed, once for all runs.
   * Rejects with an `AppError` that names the tool.
   */
  install(tools: readonly Tool[], signal: AbortSignal): Promise<readonly string[]>;
}

/** One installation of a tool into an empty folder. */
export interface Installation {
  readonly tool: Tool;
  /** Its commands are to be in `bin` of it. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Limits the size of what is downloaded. */
  readonly maxDownloadBytes: number;
  /** Limits the size of what is unpacked. */
  readonly maxBytes: number;
}

/** Installs the tools of one provider. Rejects with an `AppError` when the checksum is another one. */
export type ToolDriver = (installation: Installation) => Promise<void>;
