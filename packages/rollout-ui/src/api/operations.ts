/** Where the operations of the contract are that the viewer calls: the schemas of all of them would triple its size. */
export const operations = {
  listSessions: { method: 'GET', path: '/rl/sessions' },
  getSession: { method: 'GET', path: '/rl/sessions/{sessionId}' },
  listTasks: { method: 'GET', path: '/rl/tasks' },
  getForest: { method: 'GET', path: '/rl/sessions/{sessionId}/forest' },
  getInteraction: { method: 'GET', path: '/rl/sessions/{sessionId}/interactions/{interactionId}' },
  getTokens: { method: 'GET', path: '/rl/sessions/{sessionId}/interactions/{interactionId}/tokens' },
  previewRows: { method: 'GET', path: '/rl/sessions/{sessionId}/rows' },
  previewExport: { method: 'GET', path: '/rl/sessions/{sessionId}/export_preview' },
  searchInteractions: { method: 'GET', path: '/rl/search' },
  getStatus: { method: 'GET', path: '/rl/status' },
  watchSessions: { method: 'GET', path: '/rl/events' },
  signIn: { method: 'POST', path: '/rl/browser_session' },
  getBrowserSession: { method: 'GET', path: '/rl/browser_session' },
  signOut: { method: 'DELETE', path: '/rl/browser_session' },
} as const;

export type OperationName = keyof typeof operations;
