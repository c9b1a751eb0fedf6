export const workspaceRefused = {
  description: 'The workspace does not exist, or is not visible.',
  reasons: ['workspace_not_found'],
} as const;

export const invalidDocQuery = {
  description: 'The request is not valid, there are too many documents to list, or the node is not this one.',
  reasons: ['request_invalid', 'docs_too_many', 'remote_node_unknown'],
} as const;
