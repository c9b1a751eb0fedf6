export { accessLog } from './http/access-log';
export {
  createBinder,
  recordCall,
  type AccessGuard,
  type AdmittedCall,
  type BindEndpoint,
  type BoundCall,
  type CallRecord,
  type HandlerContext,
} from './endpoint/bind-endpoint';
export { readCookie, setSessionCookie, type SessionCookie } from './http/session-cookie';
export { disconnectSignal } from './http/disconnect-signal';
export { PassedAnswer } from './endpoint/passed-answer';
export { parseInputPart } from './endpoint/input-part';
export { createEventStream } from './http/event-stream';
export { errorHandler, unknownRoute } from './http/error-handler';
export { listenHttp, type HttpServer } from './http/http-server';
export { createJsonBodyReader, type JsonBodyReader } from './endpoint/json-body';
export {
  startService,
  waitForStopSignal,
  type Resource,
  type SignalSource,
  type StartResource,
} from './lifecycle/lifecycle';
export { limitHeapGrowth } from './lifecycle/limit-heap-growth';
export { logLevels, type LogLevel } from './logging/log-levels';
export { createLogger, type Logger, type LoggerOptions } from './logging/logger';
export { refuseOtherMethods, type Route } from './http/other-methods';
export { serveUserInterface } from './http/serve-user-interface';
export { addRequestDetails } from './http/request-details';
export { getRequestId, requestIds } from './http/request-id';
export { Secret } from './config/secret';
export { readVariables, variableTable, type Variables, type VariableValues } from './config/variables';
