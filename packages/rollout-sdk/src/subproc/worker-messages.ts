/** What a worker process is sent: structured-clone data only. */
export interface WorkerTask {
  /** With an absolute specifier. */
  readonly importPath: string;
  /** Argument of the constructor, where the path names a class. */
  readonly kwargs: unknown;
  readonly data: unknown;
  readonly sampleIndex: number;
  readonly env: Readonly<Record<string, string>>;
}

/** What it answers with, once for each task. */
export type WorkerAnswer =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly reason: 'agent_failed' | 'not_serializable'; readonly message: string };
