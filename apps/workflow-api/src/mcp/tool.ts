import type { WorkflowClient } from '@weir/workflow-client';
import type { z } from 'zod';

interface ToolDeclaration<Input> {
  readonly name: string;
  readonly title: string;
  /** The model reads this text to choose the tool. */
  readonly description: string;
  /** Whether the tool changes nothing; hosts ask a person before other tools. */
  readonly isReadOnly: boolean;
  readonly input: z.ZodType<Input>;
  /** Calls the API with the rights of the caller; the result is sent as JSON. Rejects with the errors of the client. */
  readonly call: (client: WorkflowClient, input: Input) => Promise<unknown>;
}

/** An operation that a model may request from this server. */
export type Tool = ToolDeclaration<unknown>;

/** Infers the type of the input from its schema. */
export function tool<Input>(declaration: ToolDeclaration<Input>): Tool {
  const { input, call } = declaration;
  return { ...declaration, call: (client, given) => call(client, input.parse(given)) };
}
