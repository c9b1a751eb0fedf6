import { AppError } from '@weir/foundation';

export function artifactsNotFound(): AppError {
  return new AppError('not_found', 'The run has no artifacts.', { reason: 'artifacts_not_found' });
}

export function artifactNotFound(): AppError {
  return new AppError('not_found', 'There is no such file among the artifacts of the run.', {
    reason: 'artifact_not_found',
  });
}

export function artifactsTooMany(max: number): AppError {
  return new AppError('invalid_request', `There are more than ${max} artifacts, which cannot be listed at once.`, {
    reason: 'artifacts_too_many',
  });
}
