import type { ToolDefinition } from '@weir/rollout-core';
import { z } from 'zod';
import type { ToolChoice } from '../completions/completion';
import { invalidRequest } from './invalid-request';

export const maxTools = 512;

export const toolName = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,128}$/, 'must be a name of letters, digits, _, -, . and :');

export const jsonSchemaObject = z.record(z.string(), z.unknown());

/** Names of tools must be unique, and a choice must name one of them. `param` is the field of the choice. */
export function checkTools(tools: readonly ToolDefinition[], choice: ToolChoice, param = 'tool_choice'): void {
  const names = new Set<string>();
  for (const [index, { name }] of tools.entries()) {
    if (names.has(name)) throw invalidRequest(`tools[${index}]`, 'has the name of another tool.');
    names.add(name);
  }
  if (choice.kind === 'required' && tools.length === 0) throw invalidRequest(param, 'needs tools to choose from.');
  if (choice.kind === 'named' && !names.has(choice.name))
    throw invalidRequest(param, 'names a tool that is not among the tools.');
}
