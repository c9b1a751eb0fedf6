import { AppError } from '@weir/errors';

import type { ToolDefinition } from '../../conversation/message';
import { deepseekMarkers } from '../formats/deepseek';
import type { ToolParserName } from '../parser-names';
import { createGrammarRules, terminal, type GrammarRules } from './grammar-rules';
import { createSchemaGrammar } from './schema-grammar';
import { parametersRule } from './xml-call-grammar';

export interface ToolCallGrammarOptions {
  /** The one tool that must be called. Default: any of them. */
  readonly named?: string;
  /** Whether there may be more than one call, at most 16. */
  readonly parallel: boolean;
}

const mostFurtherCalls = 15;

/**
 * GBNF of a whole answer, markers included, that calls a tool and says nothing else, so that the parser of the same format finds the call.
 * The spacing of the call itself is what the models' templates write.
 *
 * @throws AppError `invalid_request`: reason `tool_unknown` when there is no such tool or none at all,
 * `tool_choice_not_supported` for the format `none`, `schema_not_supported` for the parameters of a tool.
 */
export function createToolCallGrammar(
  format: ToolParserName,
  tools: readonly ToolDefinition[],
  options: ToolCallGrammarOptions,
): string {
  const chosen = options.named === undefined ? tools : tools.filter((tool) => tool.name === options.named);
  if (chosen.length === 0) {
    throw new AppError('invalid_request', 'There is no tool of that name to call.', { reason: 'tool_unknown' });
  }
  const rules = createGrammarRules();
  const further = options.parallel ? mostFurtherCalls : 0;
  switch (format) {
    case 'none':
      throw new AppError('invalid_request', 'This model has no tool format, so no call can be required of it.', {
        reason: 'tool_choice_not_supported',
      });
    case 'hermes':
      return wrapped(rules, objectCalls(rules, chosen, 'arguments'), further, '<tool_call>\n', '\n</tool_call>', '\n');
    case 'qwen3-coder':
      return wrapped(
        rules,
        xmlCalls(rules, chosen),
        further,
        '<tool_call>\n<function=',
        '</function>\n</tool_call>',
        '\n',
      );
    case 'llama3-json':
      return rules.text(repeated(objectCalls(rules, chosen, 'parameters'), '; ', further));
    case 'mistral':
      return mistralGrammar(rules, chosen, further);
    case 'deepseek':
      return deepseekGrammar(rules, chosen, further);
  }
}

function wrapped(
  rules: GrammarRules,
  call: string,
  further: number,
  prefix: string,
  after: string,
  between: string,
): string {
  const whole = rules.add(`${terminal(prefix)} ${call} ${terminal(after)}`);
  return rules.text(repeated(whole, between, further));
}

function repeated(call: string, between: string, further: number): string {
  if (further === 0) return call;
  return `${call} (${between === '' ? '' : `${terminal(between)} `}${call}){0,${further}}`;
}

function objectCalls(rules: GrammarRules, tools: readonly ToolDefinition[], key: 'arguments' | 'parameters'): string {
  return eachTool(
    rules,
    tools,
    (tool, parameters) => `${terminal(`{"name": ${JSON.stringify(tool.name)}, "${key}": `)} ${parameters} "}"`,
  );
}

function xmlCalls(rules: GrammarRules, tools: readonly ToolDefinition[]): string {
  return rules.add(
    tools.map((tool, index) => `${terminal(`${tool.name}>\n`)} ${parametersRule(tool, index, rules)}`).join(' | '),
  );
}

/** Both forms that the parser reads: which one the model has learnt is told by its tokenizer's version alone. */
function mistralGrammar(rules: GrammarRules, tools: readonly ToolDefinition[], further: number): string {
  const marker = '[TOOL_CALLS]';
  const named = eachTool(rules, tools, (tool, parameters) => `${terminal(`${tool.name}[ARGS]`)} ${parameters}`);
  const array = rules.add(`"[" ${repeated(objectCalls(rules, tools, 'arguments'), ', ', further)} "]"`);
  const list = rules.add(repeated(named, marker, further));
  return rules.text(`${terminal(marker)} (${array} | ${list})`);
}

function deepseekGrammar(rules: GrammarRules, tools: readonly ToolDefinition[], further: number): string {
  const { callsBegin, callBegin, callEnd, callsEnd, separator } = deepseekMarkers;
  const plain = eachTool(rules, tools, (tool, parameters) => `${terminal(`${tool.name}${separator}`)} ${parameters}`);
  const fenced = eachTool(
    rules,
    tools,
    (tool, parameters) => `${terminal(`function${separator}${tool.name}\n\`\`\`json\n`)} ${parameters} "\\n\`\`\`"`,
  );
  const call = rules.add(`${terminal(callBegin)} (${plain} | ${fenced}) ${terminal(callEnd)}`);
  const body = `${terminal(callsBegin)} ${repeated(call, '', further)} ${terminal(callsEnd)}`;
  return rules.text(body);
}

function eachTool(
  rules: GrammarRules,
  tools: readonly ToolDefinition[],
  buildBody: (tool: ToolDefinition, parameters: string) => string,
): string {
  return rules.add(tools.map((tool, index) => buildBody(tool, argumentsRule(tool, index, rules))).join(' | '));
}

/** Arguments are always an object, whatever the schema leaves open. */
function argumentsRule(tool: ToolDefinition, index: number, rules: GrammarRules): string {
  const { parameters } = tool;
  if (parameters === undefined) return rules.shared('object');
  const schema = parameters.type === undefined ? { type: 'object', ...parameters } : parameters;
  return createSchemaGrammar(schema, rules).toRule(schema, `/tools/${index}/parameters`, 0);
}
