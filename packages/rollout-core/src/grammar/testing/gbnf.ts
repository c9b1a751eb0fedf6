type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'class'; readonly accepts: (character: string) => boolean; readonly examples: readonly string[] }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number };
type Grammar = ReadonlyMap<string, Node>;

const token = /\s*("(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|[A-Za-z][A-Za-z0-9]*|\{\d+,\d*\}|[()|*?+])/y;

/** An own reading of the grammar language, so that what is written is not judged by what wrote it. */
export function readGrammar(gbnf: string): Grammar {
  const lines = gbnf.trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [name, body] = [line.slice(0, line.indexOf(' ::= ')), line.slice(line.indexOf(' ::= ') + 5)];
      expect(name).toMatch(/^[a-z][a-z0-9]*$/);
      return [name, readBody(body)];
    }),
  );
}

function readBody(body: string): Node {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < body.length) {
    const at = token.lastIndex;
    const found = token.exec(body)?.[1];
    if (found === undefined) throw new Error(`This is no grammar: ${body.slice(at)}`);
    tokens.push(found);
  }
  const choice = (): Node => {
    const parts: Node[] = [sequence()];
    while (tokens[0] === '|') {
      tokens.shift();
      parts.push(sequence());
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts };
  };
  const sequence = (): Node => {
    const parts: Node[] = [];
    while (tokens[0] !== undefined && tokens[0] !== '|' && tokens[0] !== ')') parts.push(repeated(item()));
    return { kind: 'sequence', parts };
  };
  const item = (): Node => {
    const first = tokens.shift() ?? '';
    if (first === '(') {
      const inner = choice();
      expect(tokens.shift()).toBe(')');
      return inner;
    }
    if (first.startsWith('"')) return { kind: 'text', text: unescaped(first.slice(1, -1)) };
    if (first.startsWith('[')) return characterClass(first.slice(1, -1));
    return { kind: 'rule', name: first };
  };
  const repeated = (part: Node): Node => {
    const mark = tokens[0] ?? '';
    const counts = /^\{(\d+),(\d*)\}$/.exec(mark);
    if (!'*?+'.includes(mark) && counts === null) return part;
    if (mark === '') return part;
    tokens.shift();
    if (counts !== null) {
      return { kind: 'repeat', part, min: Number(counts[1]), max: counts[2] === '' ? Infinity : Number(counts[2]) };
    }
    return { kind: 'repeat', part, min: mark === '+' ? 1 : 0, max: mark === '?' ? 1 : Infinity };
  };
  const read = choice();
  expect(tokens).toEqual([]);
  return read;
}

function unescaped(text: string): string {
  return text.replace(/\\(x[0-9A-F]{2}|.)/g, (_all, code: string) => {
    if (code.startsWith('x')) return String.fromCharCode(parseInt(code.slice(1), 16));
    return { n: '\n', r: '\r', t: '\t' }[code] ?? code;
  });
}

function characterClass(body: string): Node {
  const isNegated = body.startsWith('^');
  const regex = new RegExp(`^[${body}]$`, 'u');
  const accepts = (character: string) => regex.test(character);
  const examples = [
    'a',
    'é',
    '𝄞',
    '<',
    '/',
    '>',
    'p',
    ' ',
    '\n',
    '0',
    '1',
    '7',
    'e',
    'E',
    '+',
    '-',
    '"',
    '\\',
    'b',
    'n',
    '=',
  ];
  const fitting = examples.filter(accepts);
  if (fitting.length === 0) throw new Error(`No example for ${isNegated ? 'not ' : ''}[${body}]`);
  return { kind: 'class', accepts, examples: fitting };
}

/** The least number of nested rules to come to an end, for each rule. */
function measureCosts(grammar: Grammar): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (let changed = true; changed;) {
    changed = false;
    for (const [name, node] of grammar) {
      const cost = measureCost(node, costs) + 1;
      if (cost < (costs.get(name) ?? Infinity)) {
        costs.set(name, cost);
        changed = true;
      }
    }
  }
  return costs;
}

function measureCost(node: Node, costs: ReadonlyMap<string, number>): number {
  switch (node.kind) {
    case 'rule':
      return costs.get(node.name) ?? Infinity;
    case 'sequence':
      return Math.max(0, ...node.parts.map((part) => measureCost(part, costs)));
    case 'choice':
      return Math.min(...node.parts.map((part) => measureCost(part, costs)));
    case 'repeat':
      return node.min === 0 ? 0 : measureCost(node.part, costs);
    default:
      return 0;
  }
}

/** A string of the grammar; `seed` decides what is chosen. */
export function generate(grammar: Grammar, seed: readonly number[]): string {
  const costs = measureCosts(grammar);
  let drawn = 0;
  const draw = (below: number) => (seed[drawn++ % seed.length] ?? 0) % below;
  const write = (node: Node, depth: number): string => {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'class':
        return node.examples[draw(node.examples.length)] ?? '';
      case 'rule':
        return write(toRule(grammar, node.name), depth + 1);
      case 'sequence':
        return node.parts.map((part) => write(part, depth)).join('');
      case 'choice': {
        const cheapest = Math.min(...node.parts.map((part) => measureCost(part, costs)));
        const parts = depth < 12 ? node.parts : node.parts.filter((part) => measureCost(part, costs) === cheapest);
        return write(parts[draw(parts.length)] ?? node, depth);
      }
      case 'repeat': {
        const most = depth < 12 && drawn < 400 ? Math.min(node.max, node.min + 3) : node.min;
        const count = node.min + draw(most - node.min + 1);
        return Array.from({ length: count }, () => write(node.part, depth + 1)).join('');
      }
    }
  };
  return write(toRule(grammar, 'root'), 0);
}

function toRule(grammar: Grammar, name: string): Node {
  const node = grammar.get(name);
  if (node === undefined) throw new Error(`There is no rule ${name}.`);
  return node;
}

export function accepts(gbnf: string, text: string): boolean {
  const grammar = readGrammar(gbnf);
  const characters = Array.from(text);
  const known = new Map<string, ReadonlySet<number>>();
  const ends = (node: Node, at: number): ReadonlySet<number> => {
    switch (node.kind) {
      case 'text': {
        const wanted = Array.from(node.text);
        return new Set(
          wanted.every((character, index) => characters[at + index] === character) ? [at + wanted.length] : [],
        );
      }
      case 'class':
        return new Set(at < characters.length && node.accepts(characters[at] ?? '') ? [at + 1] : []);
      case 'rule': {
        const key = `${node.name} ${at}`;
        const found = known.get(key) ?? ends(toRule(grammar, node.name), at);
        known.set(key, found);
        return found;
      }
      case 'sequence':
        return node.parts.reduce<ReadonlySet<number>>((from, part) => after(part, from), new Set([at]));
      case 'choice':
        return new Set(node.parts.flatMap((part) => [...ends(part, at)]));
      case 'repeat':
        return repeats(node, at);
    }
  };
  const after = (part: Node, from: ReadonlySet<number>) => new Set([...from].flatMap((at) => [...ends(part, at)]));
  const repeats = (node: Extract<Node, { kind: 'repeat' }>, at: number): ReadonlySet<number> => {
    const result = new Set<number>(node.min === 0 ? [at] : []);
    let front: ReadonlySet<number> = new Set([at]);
    for (let count = 1; count <= node.max && front.size > 0; count++) {
      front = new Set([...after(node.part, front)].filter((end) => count <= node.min || !result.has(end)));
      if (count >= node.min) front.forEach((end) => result.add(end));
    }
    return result;
  };
  return ends(toRule(grammar, 'root'), 0).has(characters.length);
}
