import { AppError } from '@weir/foundation';

export const batchInvalid = (message: string): AppError =>
  new AppError('invalid_request', message, { reason: 'batch_invalid' });
