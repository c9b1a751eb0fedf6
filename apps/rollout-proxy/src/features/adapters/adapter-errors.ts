import { AppError } from '@weir/foundation';

export function adaptersNotSupported(): AppError {
  return new AppError('not_implemented', 'The engine has no adapters.', { reason: 'adapters_not_supported' });
}

export function adaptersNotLoadable(): AppError {
  return new AppError('not_implemented', 'The engine loads adapters only when it starts.', {
    reason: 'weights_not_loadable',
  });
}

export function adapterDiffers(name: string): AppError {
  return new AppError(
    'conflict',
    `The adapter ${name} has another path or is pinned otherwise. Omit these, or update its weights.`,
    { reason: 'adapter_differs' },
  );
}

export function adaptersExhausted(max: number): AppError {
  return new AppError('rate_limited', `All ${max} adapters that may be loaded are in use.`, {
    reason: 'adapters_exhausted',
    details: { retryAfterSeconds: 1 },
  });
}

export function adapterUpdating(name: string): AppError {
  return new AppError('conflict', `Another update of the adapter ${name} is in progress.`, {
    reason: 'weights_updating',
  });
}

export function adapterNotMonotone(version: number): AppError {
  return new AppError('invalid_request', `The version of other weights must be above the current one, ${version}.`, {
    reason: 'version_not_monotone',
  });
}

export function adapterUnknown(name: string): AppError {
  return new AppError('not_found', `There is no adapter ${name}.`, { reason: 'adapter_unknown' });
}

export function adapterInUse(name: string): AppError {
  return new AppError('conflict', `Sessions or generations still have the adapter ${name}.`, {
    reason: 'adapter_in_use',
  });
}
