import { AppError } from '@weir/errors';

export const batchInvalid = (message: string): AppError =>
  new AppError('invalid_request', message, { reason: 'batch_invalid' });
