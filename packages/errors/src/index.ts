export { AppError, isAppError, type AppErrorOptions } from './app-error';
export { causeChain, toAppError, toError } from './cause';
export { errorCodes, type ErrorCode } from './error-code';
export { isSystemError, systemErrorCode } from './system-error';
