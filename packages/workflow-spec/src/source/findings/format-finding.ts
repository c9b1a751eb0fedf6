import type { Finding } from './finding';

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error');
}

/** Formats a finding as one line for people: `[line:column] message`. */
export function formatFinding(finding: Finding): string {
  return `[${finding.line}:${finding.column}] ${finding.message}`;
}
