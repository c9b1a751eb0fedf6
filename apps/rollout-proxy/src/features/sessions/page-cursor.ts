import { AppError } from '@weir/foundation';

const wholeNumber = /^\d{1,15}$/;

/** The number that a cursor of these lists is. Throws `invalid_request`, reason `request_invalid`. */
export function readCursor(cursor: string): number {
  if (wholeNumber.test(cursor)) return Number(cursor);
  throw cursorInvalid();
}

export const cursorInvalid = (): AppError =>
  new AppError('invalid_request', 'The cursor is not that of a page of this list.', { reason: 'request_invalid' });
