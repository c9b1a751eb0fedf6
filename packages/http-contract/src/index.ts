export { contentType } from './content-type';
export {
  endpoint,
  type Access,
  type AuditAction,
  type ByteRange,
  type ClientRequest,
  type Content,
  type Endpoint,
  type ErrorAnswer,
  type FileAnswer,
  type HandlerResult,
  type HttpMethod,
  type ParsedInput,
  type ServerEvent,
  type Success,
  type SuccessBody,
} from './endpoint';
export { expressPath, pathParameters } from './endpoint-path';
export { toHttpStatus } from './http-status';
