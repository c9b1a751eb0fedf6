import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { localNode } from '../common/parameters';
import { rolesFrom } from '../common/roles';

/** The operations of the agent's settings share this access, these failures and this query. */
export const adminOnly = rolesFrom('admin');
export const nodeQuery = z.object({ remoteNode: localNode });
export const { unauthenticated, forbidden } = errorAnswers;
export const invalid = {
  description: 'The request is not valid, or it is meant for another node.',
  reasons: ['request_invalid', 'remote_node_unsupported'],
} as const;
export const usualErrors = { 400: invalid, 401: unauthenticated, 403: forbidden } as const;
