export { accessLog } from './access-log';
export {
  createBinder,
  type AccessGuard,
  type BindEndpoint,
  type BinderOptions,
  type Handler,
  type HandlerContext,
} from './bind-endpoint';
export { systemClock, type Clock } from './clock';
export { disconnectSignal } from './disconnect-signal';
export { errorHandler, unknownRoute, type ErrorHandlerOptions, type ErrorRenderer } from './error-handler';
export { listenHttp, type HttpServer, type HttpServerOptions } from './http-server';
export { toHttpStatus } from './http-status';
export { parseInputPart } from './input-part';
export { createJsonBodyReader, type JsonBodyOptions, type JsonBodyReader } from './json-body';
export {
  startService,
  waitForStopSignal,
  type Resource,
  type Service,
  type ServiceOptions,
  type SignalSource,
  type StartResource,
  type StopResult,
} from './lifecycle';
export { logLevels, type LogLevel } from './log-levels';
export { createLogger, type LogFields, type Logger, type LoggerOptions } from './logger';
export { readIfPresent } from './read-if-present';
export { addRequestDetails, type RequestDetails } from './request-details';
export { getRequestId, requestIds } from './request-id';
export { Secret } from './secret';
export { readVariables, variableTable, type Variable, type Variables, type VariableValues } from './variables';
export { createWaitList, type WaitList } from './wait-list';
