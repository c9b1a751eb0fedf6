import type { ToolDefinition } from '../conversation/message';
import { terminal, type GrammarRules } from './grammar-rules';
import { createSchemaGrammar } from './schema-grammar';

/** The input for the grammar of a tool format. */
export interface CallRules {
  readonly rules: GrammarRules;
  /** The tools that may be called; at least one. */
  readonly tools: readonly ToolDefinition[];
  /** How many calls may follow the first one. */
  readonly furtherCalls: number;
}

/** The whole grammar of calls that are each enclosed by two texts. */
export function wrappedCalls(
  calls: CallRules,
  call: string,
  { before, after, between }: { readonly before: string; readonly after: string; readonly between: string },
): string {
  const whole = calls.rules.add(`${terminal(before)} ${call} ${terminal(after)}`);
  return calls.rules.text(repeatedCalls(calls, whole, between));
}

/** A call and as many more as are allowed. */
export function repeatedCalls({ furtherCalls }: CallRules, call: string, between: string): string {
  if (furtherCalls === 0) return call;
  return `${call} (${between === '' ? '' : `${terminal(between)} `}${call}){0,${furtherCalls}}`;
}

/** A rule for `{"name": …, "arguments": …}` of any of the tools. */
export function objectCalls(calls: CallRules, key: 'arguments' | 'parameters'): string {
  return eachTool(
    calls,
    (tool, parameters) => `${terminal(`{"name": ${JSON.stringify(tool.name)}, "${key}": `)} ${parameters} "}"`,
  );
}

/** A rule with one alternative for each tool. */
export function eachTool(
  { rules, tools }: CallRules,
  buildBody: (tool: ToolDefinition, parameters: string) => string,
): string {
  return rules.add(tools.map((tool, index) => buildBody(tool, argumentsRule(tool, index, rules))).join(' | '));
}

/** Arguments are always an object, even if the schema leaves the type open. */
function argumentsRule(tool: ToolDefinition, index: number, rules: GrammarRules): string {
  const { parameters } = tool;
  if (parameters === undefined) return rules.shared('object');
  const schema = parameters.type === undefined ? { type: 'object', ...parameters } : parameters;
  return createSchemaGrammar(schema, rules).toRule(schema, `/tools/${index}/parameters`, 0);
}
