/** The version of a packaged action that was locked. */
export interface ActionLock {
  /** The full id of the commit. */
  readonly commit: string;
  /** `sha256:` and the hash of its files in hex. */
  readonly checksum: string;
}

/** An action in a git repository. */
export interface PackageReference {
  /** The reference as written: `acme/notify@v1.2.0`. */
  readonly text: string;
  /** A path below the source of actions, or the address of a repository. */
  readonly repository: { readonly path: string } | { readonly url: string };
  /** A tag, a branch or a commit. */
  readonly version: string;
}

export interface PackagedAction extends PackageReference {
  /** A step without a lock cannot run. */
  readonly lock?: ActionLock;
}
