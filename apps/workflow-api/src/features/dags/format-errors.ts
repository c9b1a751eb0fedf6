import { formatFinding, type Finding } from '@weir/workflow-spec';

/** The errors alone, for people. */
export function formatErrors(findings: readonly Finding[]): readonly string[] {
  return findings.filter(({ severity }) => severity === 'error').map(formatFinding);
}
