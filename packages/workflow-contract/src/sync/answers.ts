import { errorAnswers } from '../common/errors';

/** Refusals that the operations of Git sync have in common. */
export const syncAnswers = {
  invalid: {
    description: 'The request is not valid, or the node is not this one.',
    reasons: ['request_invalid', 'remote_node_unknown'],
  },
  statusInvalid: {
    description: 'The request is not valid, or the status of a file does not allow it.',
    reasons: ['request_invalid', 'remote_node_unknown', 'sync_item_untracked', 'sync_item_changed', 'dag_running'],
  },
  publishing: {
    description: 'The role or the scopes of the API key do not permit this operation, or nothing may be published.',
    reasons: ['role_missing', 'scope_missing', 'surface_missing', 'sync_pull_only'],
  },
  missing: { description: 'A file is unknown or not visible.', reasons: ['sync_item_not_found'] },
  upstream: {
    description: 'The repository refused, or was not reached.',
    reasons: ['sync_repository_failed', 'sync_push_refused'],
  },
  unavailable: {
    description: 'Git sync is off or busy, or there is no git program.',
    reasons: ['sync_disabled', 'sync_busy', 'git_missing', 'sync_credential_unreadable'],
  },
} as const;

const { invalid, upstream, unavailable } = syncAnswers;
const { unauthenticated, forbidden } = errorAnswers;

/** The errors of operations that change something. */
export const syncErrors = {
  400: invalid,
  401: unauthenticated,
  403: forbidden,
  502: upstream,
  503: unavailable,
} as const;
