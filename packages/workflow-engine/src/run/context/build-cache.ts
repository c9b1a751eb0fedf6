/** A file that a step has made, as it was when it was stored. */
export interface BuiltFile {
  /** SHA-256 as lower-case hex. */
  readonly sha256: string;
  /** Permission bits. */
  readonly mode: number;
}

/** The files that a step made of one recipe, by the names of its outputs. */
export type BuildRecord = Readonly<Record<string, BuiltFile>>;

/** Records of what steps made, and the contents of the files, as far as they fit. */
export interface BuildCache {
  /** Waits for the files, so that only one step of all runs of this host makes them at a time. */
  hold<T>(files: readonly string[], signal: AbortSignal, use: () => Promise<T>): Promise<T>;
  /** Finds the files that were made of this recipe; `undefined` when nothing is known of it. */
  find(fingerprint: string): Promise<BuildRecord | undefined>;
  /**
   * Stores what was made of a recipe. The record is stored last and as a whole: after a crash either all of it is
   * there, or nothing. Contents that are larger than the cache are not stored.
   */
  store(fingerprint: string, files: Readonly<Record<string, BuiltFile & { readonly path: string }>>): Promise<void>;
  /** Writes the content of a file to a new path; false when it is not in the cache, or not what it was. */
  restore(file: BuiltFile, path: string, signal: AbortSignal): Promise<boolean>;
}
