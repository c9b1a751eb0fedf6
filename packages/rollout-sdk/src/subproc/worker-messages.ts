/** The message to a worker process, which is structured-clone data only. */
export interface WorkerTask {
  /** The specifier is absolute. */
  readonly importPath: string;
  /** Argument of the constructor, where the path names a class. */
  readonly kwargs: unknown;
  readonly data: unknown;
  readonly sampleIndex: number;
  readonly env: Readonly<Record<string, string>>;
}

/** The answer of a worker, sent once for each task. */
export type WorkerAnswer =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly reason: 'agent_failed' | 'not_serializable'; readonly message: string };
