import { deleteUser, listUsers } from './users/endpoints';
import type { AuditedEndpoint } from './contract';

const { audit: _, ...unaudited } = deleteUser;

export const contract = {
  deleteUser,
  listUsers,
  // @ts-expect-error a change that the audit log has no name for
  unaudited,
} satisfies Record<string, AuditedEndpoint>;
