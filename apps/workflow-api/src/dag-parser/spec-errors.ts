import { AppError } from '@weir/foundation';
import { formatFinding, type Finding } from '@weir/workflow-spec';

/** Formats only the errors, for people. */
export function formatErrors(findings: readonly Finding[]): readonly string[] {
  return findings.filter(({ severity }) => severity === 'error').map(formatFinding);
}

export function specInvalid(findings: readonly Finding[]): AppError {
  const errors = findings.filter(({ severity }) => severity === 'error');
  return new AppError('invalid_request', errors.map(formatFinding).join('; '), {
    reason: 'spec_invalid',
    details: { findings: errors },
  });
}
