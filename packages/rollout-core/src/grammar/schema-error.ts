import { AppError } from '@weir/foundation';

/** @param path JSON Pointer into the schema; never a value of it. */
export function schemaNotSupported(path: string, why: string): AppError {
  return new AppError('invalid_request', `The JSON schema can't be enforced at "${path || '/'}": ${why}.`, {
    reason: 'schema_not_supported',
    details: { path },
  });
}
