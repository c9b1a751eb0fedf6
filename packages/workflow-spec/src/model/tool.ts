/** The sources of command-line tools. */
export const toolProviders = ['url', 'npm', 'pip'] as const;
export type ToolProvider = (typeof toolProviders)[number];

/** A command-line tool that is installed for the steps of a run, in exactly this version. */
export interface Tool {
  readonly provider: ToolProvider;
  /** The name of the package; with `url`, also that of the command. */
  readonly name: string;
  readonly version: string;
  /** `sha256:` or `sha512:` and the hash in hex, or `sha512-` and the hash in base64, as npm writes it. */
  readonly checksum: string;
  /** Only with `url`: an executable, or an archive. */
  readonly url?: string;
  /** Only with a `url` of an archive: the path of the command in it. Default: `name`. */
  readonly path?: string;
}
