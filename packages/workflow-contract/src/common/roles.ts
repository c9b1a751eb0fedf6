import { z } from 'zod';

/** Strongest first. Each role may do all that the ones after it may. */
export const roles = ['admin', 'manager', 'developer', 'operator', 'viewer'] as const;

export const UserRole = z
  .enum(roles)
  .meta({ id: 'UserRole', description: 'What a principal may do; each role includes the ones after it.' });
export type UserRole = z.output<typeof UserRole>;

/** This role and all stronger ones, as an endpoint's access list. */
export function rolesFrom(role: UserRole): readonly UserRole[] {
  return roles.slice(0, roles.indexOf(role) + 1);
}

/** Whether `role` may do what asks for `needed`. */
export function roleIncludes(role: UserRole, needed: UserRole): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed);
}
