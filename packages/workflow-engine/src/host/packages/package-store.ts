import type { ActionLock, JsonObject, PackagedAction } from '@weir/workflow-spec';

/** A package that is there, with the contents that its lock names. */
export interface LoadedPackage {
  /** Read-only. */
  readonly folder: string;
  readonly manifest: PackageManifest;
}

export interface PackageManifest {
  readonly name: string;
  /** The path of its DAG in the package. */
  readonly dag: string;
  /** JSON Schema of what a step passes; missing accepts any. */
  readonly inputs?: JsonObject;
  /** JSON Schema of what its run publishes. */
  readonly outputs?: JsonObject;
}

/** Packaged actions, fetched once for all runs. */
export interface PackageStore {
  /** Fetches what is not there. Rejects with an `AppError` that names the action, also when its contents are others. */
  load(action: PackagedAction, signal: AbortSignal): Promise<LoadedPackage>;
  /** Determines the current version. Rejects with an `AppError` that names the action. */
  lock(action: PackagedAction, signal: AbortSignal): Promise<ActionLock>;
}
