import type { Variables, VariableValues } from '@weir/service-kit';
import { duration } from './config-values';

/** Settings for the retention of the audit log. */
export const auditVariables = {
  WEIR_AUDIT_AGE: {
    schema: duration.refine((seconds) => seconds === 0 || seconds >= 86_400, 'must be 0s or at least 1d').default(0),
    defaultText: '`0s`',
    description: 'How long entries of the audit log are retained; at least a day, or `0s` for ever.',
  },
} as const satisfies Variables;

export interface AuditConfig {
  readonly audit: { readonly auditRetentionMs: number | undefined };
}

export function readAuditConfig({ WEIR_AUDIT_AGE: seconds }: VariableValues<typeof auditVariables>): AuditConfig {
  return { audit: { auditRetentionMs: seconds === 0 ? undefined : seconds * 1000 } };
}
