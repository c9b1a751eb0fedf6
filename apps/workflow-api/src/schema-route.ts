import { dagSchemaEndpoint } from '@weir/workflow-contract';
import { dagSchema } from '@weir/workflow-spec';
import type { Bind } from './bind';

/** Serves the JSON Schema without a credential: editors have none, and it says nothing about this installation. */
export function bindSchemaRoute(bind: Bind): void {
  let text: string | undefined;
  // Made for the first request: it takes longer than the rest of a start's routes together.
  bind(dagSchemaEndpoint, () => (text ??= `${JSON.stringify(dagSchema())}\n`));
}
