import type { WorkflowClient } from '@weir/workflow-client';
import type { z } from 'zod';

interface ToolDeclaration<Input> {
  readonly name: string;
  readonly title: string;
  /** What the model reads to choose it. */
  readonly description: string;
  /** Whether it leaves everything as it is; hosts ask a person before others. */
  readonly isReadOnly: boolean;
  readonly input: z.ZodType<Input>;
  /** Calls the API with the rights of the caller; the result is sent as JSON. Rejects with what the client throws. */
  readonly call: (client: WorkflowClient, input: Input) => Promise<unknown>;
}

/** Something that a model may ask this server to do. */
export type Tool = ToolDeclaration<unknown>;

/** Infers the type of the input from its schema. */
export function tool<Input>(declaration: ToolDeclaration<Input>): Tool {
  const { input, call } = declaration;
  return { ...declaration, call: (client, given) => call(client, input.parse(given)) };
}
