import type { Sealed } from '../../encryption';

/** A secret that this server stores; its values are apart from it. */
export interface StoredSecret {
  readonly id: string;
  /** Undefined: all workspaces share it. */
  readonly workspace: string | undefined;
  /** Unique in the workspace. */
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

/** A value, encrypted. */
export interface SecretVersion extends Sealed {
  readonly secretId: string;
  readonly number: number;
  readonly createdAt: Date;
  /** Id of the principal that wrote it. */
  readonly createdBy: string;
}

/** What a value is sealed for: it cannot be opened as that of another secret or version. */
export function sealContext({ secretId, number }: Pick<SecretVersion, 'secretId' | 'number'>): string {
  return `secret ${secretId} ${number}`;
}
