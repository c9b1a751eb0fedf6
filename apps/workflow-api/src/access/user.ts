import type { UserRole, WorkspaceAccess } from '@weir/workflow-contract';
import type { AuthProvider } from '@weir/workflow-contract/schemas';

/** A person who can sign in. */
export interface User {
  readonly id: string;
  /** The name is unique and case-sensitive. */
  readonly username: string;
  /** Missing for users of another provider. */
  readonly passwordHash: string | undefined;
  readonly authProvider: AuthProvider;
  /** The id that another provider gives the person; it is unique. */
  readonly externalId: string | undefined;
  readonly role: UserRole;
  readonly workspaceAccess: WorkspaceAccess;
  readonly isDisabled: boolean;
  /** Part of every token; raising it ends all tokens of the user. */
  readonly tokenVersion: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function isEnabledAdmin(user: User): boolean {
  return user.role === 'admin' && !user.isDisabled;
}
