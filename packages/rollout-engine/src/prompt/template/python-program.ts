import { parse, tokenize, type TemplateNode } from './jinja';

type Node = Record<string, unknown>;

/** Filters that behave differently in Python, and their replacements. */
const filterNames = new Map([
  ['string', '__text'],
  ['trim', '__strip'],
  ['join', '__join'],
  ['tojson', '__tojson'],
]);
/** The library ignores the arguments of these methods. */
const methodNames = new Map([
  ['strip', '__strip'],
  ['lstrip', '__lstrip'],
  ['rstrip', '__rstrip'],
]);
const operatorNames = new Map([
  ['~', '__concat'],
  ['+', '__add'],
]);

const statements = new Set(['Set', 'If', 'For', 'Macro', 'Comment', 'CallStatement', 'FilterStatement', 'Break']);
statements.add('Continue');

/**
 * Parses a chat template with the Jinja settings of transformers, and inserts calls of `pythonOperations` where Python
 * values print, join and add differently from JavaScript's. Only the parsed tree is changed, not the library.
 */
export function parsePythonProgram(source: string): TemplateNode {
  // Jinja normalises line ends.
  const tokens = tokenize(source.replaceAll(/\r\n?/g, '\n'), { lstrip_blocks: true, trim_blocks: true });
  const program = parse(tokens);
  // The library finds a macro's special arguments only below nodes of its own class.
  const nodeClass = Object.getPrototypeOf(Object.getPrototypeOf(program)) as object;
  const call = (name: string, args: readonly unknown[]): Node => {
    const make = (fields: Node): Node => Object.assign(Object.create(nodeClass) as Node, fields);
    return make({ type: 'CallExpression', callee: make({ type: 'Identifier', value: name }), args });
  };
  const change = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(change);
    if (node instanceof Map) return new Map(Array.from(node, ([key, value]) => [change(key), change(value)]));
    if (typeof node !== 'object' || node === null) return node;
    return replaced(changeFields(node as Node, change, call), call);
  };
  return change(program) as TemplateNode;
}

type MakeCall = (name: string, args: readonly unknown[]) => Node;

const blocks = new Set(['body', 'alternate', 'defaultBlock']);

function changeFields(node: Node, change: (node: unknown) => unknown, call: MakeCall): Node {
  for (const [field, value] of Object.entries(node)) {
    const changed = change(value);
    node[field] = blocks.has(field) && Array.isArray(changed) ? changed.map((item) => printed(item, call)) : changed;
  }
  return node;
}

/** Literal text is printed unchanged, results of expressions as in Python. */
function printed(node: unknown, call: MakeCall): unknown {
  const { type } = node as Node;
  return statements.has(String(type)) || type === 'StringLiteral' ? node : call('__print', [node]);
}

function replaced(node: Node, call: MakeCall): Node {
  if (node.type === 'BinaryExpression') {
    const name = operatorNames.get(String((node.operator as Node).value));
    return name === undefined ? node : call(name, [node.left, node.right]);
  }
  if (node.type === 'CallExpression') return replacedMethod(node, call);
  if (node.type !== 'FilterExpression') return node;
  const filter = node.filter as Node;
  const isCall = filter.type === 'CallExpression';
  const name = filterNames.get(String(isCall ? (filter.callee as Node).value : filter.value));
  if (name === undefined) return node;
  return call(name, [node.operand, ...(isCall ? (filter.args as unknown[]) : [])]);
}

function replacedMethod(node: Node, call: MakeCall): Node {
  const callee = node.callee as Node;
  if (callee.type !== 'MemberExpression' || callee.computed === true) return node;
  const name = methodNames.get(String((callee.property as Node).value));
  return name === undefined ? node : call(name, [callee.object, ...(node.args as unknown[])]);
}
