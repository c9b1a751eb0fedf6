import { boundedDagSchemaEndpoint, dagSchemaEndpoint } from '@weir/workflow-contract';
import { boundedDagSchema, dagSchema } from '@weir/workflow-spec';
import type { Bind } from './bind';

/** Serves the JSON Schema without a credential: editors have none, and it says nothing about this installation. */
export function bindSchemaRoutes(bind: Bind): void {
  bind(dagSchemaEndpoint, once(dagSchema));
  bind(boundedDagSchemaEndpoint, once(boundedDagSchema));
}

/** Made for the first request: it takes longer than the rest of a start's routes together. */
function once(build: () => object): () => string {
  let text: string | undefined;
  return () => (text ??= `${JSON.stringify(build())}\n`);
}
