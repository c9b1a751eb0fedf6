export { createApiClient, type ApiClient, type ApiClientOptions } from './api-client';
export { ApiError, isApiError } from './api-error';
export { fillPath } from './fill-path';
