export { emitOpenApi, type OpenApiOptions } from './emit-openapi';
