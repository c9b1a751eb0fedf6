import { AppError } from '@weir/foundation';

/** Maximum nesting of tools, template arguments and arguments of calls. */
export const maxNesting = 128;

export const nestedTooDeeply = (cause?: unknown) =>
  new AppError('invalid_request', 'The tools or template arguments are nested too deeply.', {
    reason: 'nested_too_deeply',
    cause,
  });
