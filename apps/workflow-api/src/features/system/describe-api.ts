import { workflowOpenApi } from '@weir/workflow-contract/openapi';

export type ApiDescription = Readonly<Record<string, unknown>>;

/** Returns the OpenAPI document of this server, which serves the API below `serverUrl`. */
export function describeApi(serverUrl: string): ApiDescription {
  return { ...workflowOpenApi(serverUrl) };
}
