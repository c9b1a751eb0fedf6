import { dagSchemaEndpoint } from '@weir/workflow-contract';
import { dagSchema } from '@weir/workflow-spec';
import type { Bind } from './bind';

/** Serves the JSON Schema without a credential: editors have none, and it says nothing about this installation. */
export function bindSchemaRoute(bind: Bind): void {
  const text = `${JSON.stringify(dagSchema())}\n`;
  bind(dagSchemaEndpoint, () => text);
}
