import type { Sealed } from '../../encryption';

/** A secret that this server stores; its values are stored separately. */
export interface StoredSecret {
  readonly id: string;
  /** Undefined when all workspaces share it. */
  readonly workspace: string | undefined;
  /** The ref is unique in the workspace. */
  readonly ref: string;
  readonly description: string;
  /** Number of the newest value; 0 before the first one. */
  readonly currentVersion: number;
  readonly isDisabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastResolvedAt: Date | undefined;
  readonly lastRotatedAt: Date | undefined;
}

/** An encrypted value. */
export interface SecretVersion extends Sealed {
  readonly secretId: string;
  readonly number: number;
  readonly createdAt: Date;
  /** Id of the principal that wrote it. */
  readonly createdBy: string;
}

/** Returns the context of sealing: a value cannot be opened as that of another secret or version. */
export function sealContext({ secretId, number }: Pick<SecretVersion, 'secretId' | 'number'>): string {
  return `secret ${secretId} ${number}`;
}
