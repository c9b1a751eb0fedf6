/** The categories of entries of the audit log. */
export const auditCategories = [
  'auth',
  'user',
  'api_key',
  'worker_token',
  'workspace',
  'secret',
  'webhook',
  'agent',
  'dag',
  'dag_run',
  'queue',
  'doc',
  'settings',
  'audit',
] as const;

export const auditResults = ['success', 'failure'] as const;

export const auditPeriods = ['24h', '7d', '30d'] as const;

const dayMs = 86_400_000;

/** The lengths in milliseconds. */
export const periodLengths = { '24h': dayMs, '7d': 7 * dayMs, '30d': 30 * dayMs } as const satisfies Record<
  (typeof auditPeriods)[number],
  number
>;
