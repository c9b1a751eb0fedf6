export { ApiError } from './api-error';
export { createClient, type CallOptions, type Client, type ClientOptions } from './client';
export {
  endpoint,
  type Access,
  type ClientRequest,
  type Endpoint,
  type ErrorAnswer,
  type FileAnswer,
  type HandlerResult,
  type HttpMethod,
  type ParsedInput,
  type Success,
  type SuccessBody,
} from './endpoint';
export { expressPath, fillPath, pathParameters } from './endpoint-path';
