import { performance } from 'node:perf_hooks';
import { yieldToEventLoop } from '@weir/foundation';
import { Environment, Interpreter, type TemplateEnvironment, type TemplateNode } from './jinja';
import {
  getItems,
  integerValue,
  isList,
  isMissing,
  missingValue,
  objectValue,
  truthValue,
  type TemplateValue,
} from './template-value';

/** Other work waits at most about so long, unless one round of a loop takes longer. */
const partMs = 8;

interface Evaluation {
  readonly interpreter: Interpreter;
  /** Lets other work of the process come in between if this part has taken long enough. */
  readonly rest: () => Promise<void>;
}

/**
 * Evaluates a program as the interpreter does, in parts: a conversation may have ten thousand messages. Only the loops that
 * are outside other loops and macros are divided, which is where templates go through the messages.
 */
export async function evaluateInParts(program: TemplateNode, environment: TemplateEnvironment): Promise<string> {
  let start = performance.now();
  const rest = async (): Promise<void> => {
    if (performance.now() - start < partMs) return;
    await yieldToEventLoop();
    start = performance.now();
  };
  return evaluateBlock({ interpreter: new Interpreter(environment), rest }, toNodes(program.body), environment);
}

async function evaluateBlock(
  evaluation: Evaluation,
  nodes: readonly TemplateNode[],
  environment: TemplateEnvironment,
): Promise<string> {
  const { interpreter } = evaluation;
  let text = '';
  for (const node of nodes) {
    if (node.type === 'If') {
      const isMet = interpreter.evaluate(node.test as TemplateNode, environment).__bool__().value;
      text += await evaluateBlock(evaluation, toNodes(isMet ? node.body : node.alternate), environment);
    } else if (node.type === 'For' && isPlainLoop(node)) text += await evaluateLoop(evaluation, node, environment);
    else text += printed(interpreter.evaluate(node, environment));
    await evaluation.rest();
  }
  return text;
}

/** A loop over all items of something, with one variable. */
function isPlainLoop({ iterable, loopvar }: TemplateNode): boolean {
  return (iterable as TemplateNode).type !== 'SelectExpression' && (loopvar as TemplateNode).type === 'Identifier';
}

async function evaluateLoop(
  { interpreter, rest }: Evaluation,
  node: TemplateNode,
  environment: TemplateEnvironment,
): Promise<string> {
  const scope = new Environment(environment);
  const list = interpreter.evaluate(node.iterable as TemplateNode, scope);
  if (!isList(list)) return printed(interpreter.evaluate(node, environment));
  const items = getItems(list);
  const name = String((node.loopvar as TemplateNode).value);
  const body: TemplateNode = { type: 'Program', body: node.body };
  let text = '';
  let hasRounds = false;
  for (const [index, item] of items.entries()) {
    scope.setVariable('loop', loopValue(items, index));
    scope.setVariable(name, item);
    try {
      text += printed(interpreter.evaluate(body, scope));
      hasRounds = true;
    } catch (error) {
      if (error instanceof Break) break;
      if (!(error instanceof Continue)) throw error;
    }
    await rest();
  }
  return hasRounds ? text : text + printed(interpreter.evaluate({ type: 'Program', body: node.defaultBlock }, scope));
}

function loopValue(items: readonly TemplateValue[], index: number): TemplateValue {
  const { length } = items;
  return objectValue(
    new Map([
      ['index', integerValue(index + 1)],
      ['index0', integerValue(index)],
      ['revindex', integerValue(length - index)],
      ['revindex0', integerValue(length - index - 1)],
      ['first', truthValue(index === 0)],
      ['last', truthValue(index === length - 1)],
      ['length', integerValue(length)],
      ['previtem', items[index - 1] ?? missingValue()],
      ['nextitem', items[index + 1] ?? missingValue()],
    ]),
  );
}

/** Statements such as assignments have no text. */
const printed = (value: TemplateValue): string =>
  value.type === 'NullValue' || isMissing(value) ? '' : String(value.value);

const toNodes = (value: unknown): readonly TemplateNode[] => value as readonly TemplateNode[];

type Control = new () => Error;

// The engine does not export the errors by which a round of a loop ends early.
const [Break, Continue] = [findControl('Break'), findControl('Continue')];

function findControl(type: string): Control {
  const environment = new Environment();
  try {
    new Interpreter(environment).evaluate({ type }, environment);
  } catch (error) {
    return (error as Error).constructor as Control;
  }
  throw new Error(`The template engine has no ${type}.`);
}
