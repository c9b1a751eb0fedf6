import { schemaNotSupported } from './schema-error';

const maxGrammarLength = 262_144;

/** How a format writes values. */
export interface ValueNotation {
  /**
   * The rules of its values; the names are those of JSON, and further ones that these need. Without `object` it can write
   * no object whose names the schema does not give.
   */
  readonly rules: Readonly<Record<Exclude<SharedRule, 'object' | 'array' | 'key' | 'member'>, string>> &
    Readonly<Record<string, string>>;
  /** What is around a string. */
  readonly quote: string;
  readonly object: Enclosure;
  readonly list: Enclosure;
  readonly item: Enclosure;
  /** Between the members of an object and the values of a list. */
  readonly separator: string;
  /** Around the value of a member. `undefined` for a name that it cannot write. */
  member(name: string): Enclosure | undefined;
  /** A string, number, truth value, list or object; `undefined` for one that it cannot write as a fixed text. */
  write(value: unknown): string | undefined;
}

/** What is before and after values, as GBNF; may be empty. */
export interface Enclosure {
  readonly before: string;
  readonly after: string;
}

const nothing: Enclosure = { before: '', after: '' };

/** What JSON and formats like it have around and between values. */
export const bracketLayout = {
  object: { before: '"{"', after: '"}"' },
  list: { before: '"["', after: '"]"' },
  item: nothing,
  separator: '"," gap',
} as const;

/** Collects the rules of a grammar in the subset of GBNF that llama.cpp and XGrammar share. */
export interface GrammarRules {
  readonly notation: ValueNotation;
  /** Adds a rule and returns its name. */
  add(body: string): string;
  /** Returns the name of a rule that is defined later. */
  reserve(): string;
  define(name: string, body: string): void;
  /** Includes a shared rule of JSON grammars and returns its name. */
  shared(name: SharedRule): string;
  /** @throws AppError `invalid_request`, reason `schema_not_supported`, when the grammar is too large. */
  text(root: string): string;
}

// One optional space, where most models have learnt to write one; no other whitespace, so that answers stay short.
// Characters are raw or have a short escape; \u is used only where JSON has no other form, so every character has one
// form and lengths can be counted. Numbers are bounded: endless numbers are the usual way for an answer to run away.
const jsonRules = {
  gap: '" "?',
  character: String.raw`[^"\\\x00-\x1F] | "\\" ["\\/bfnrt] | "\\u00" [01] [0-9a-f]`,
  string: String.raw`"\"" character* "\""`,
  digits: '"0" | [1-9] [0-9]{0,14}',
  integer: '"-"? digits',
  number: '"-"? digits ("." [0-9]{1,15})? ([eE] [+-]? [0-9]{1,2})?',
  boolean: '"true" | "false"',
  null: '"null"',
  key: 'string',
  member: 'key ":" gap value',
  object: '"{" (member ("," gap member)*)? "}"',
  array: '"[" (value ("," gap value)*)? "]"',
  value: 'object | array | string | number | boolean | null',
} as const;
export type SharedRule = keyof typeof jsonRules;

const jsonNotation: ValueNotation = {
  rules: jsonRules,
  quote: '"',
  ...bracketLayout,
  member: (name) => ({ before: `${terminal(`${JSON.stringify(name)}:`)} gap`, after: '' }),
  write: (value) => JSON.stringify(value),
};

export interface GrammarRulesOptions {
  /** Default: JSON. */
  readonly notation?: ValueNotation;
  /** Begins the names of its rules, which must differ where grammars are joined. Default `r`. */
  readonly namePrefix?: string;
}

export function createGrammarRules({
  notation = jsonNotation,
  namePrefix = 'r',
}: GrammarRulesOptions = {}): GrammarRules {
  const shared = new Map(Object.entries(notation.rules));
  const rules = new Map<string, string>();
  const used = new Set<string>();
  let length = 0;
  let names = 0;

  const define = (name: string, body: string) => {
    length += body.length;
    if (length > maxGrammarLength) throw schemaNotSupported('', 'its grammar is too large');
    rules.set(name, body);
  };
  const reserve = () => `${namePrefix}${names++}`;

  const use = (name: string) => {
    if (used.has(name)) return;
    used.add(name);
    const body = withoutTexts(shared.get(name) ?? '');
    for (const other of shared.keys()) {
      if (other !== name && new RegExp(`\\b${other}\\b`).test(body)) use(other);
    }
  };

  return {
    notation,
    reserve,
    define,
    add(body) {
      const name = reserve();
      define(name, body);
      return name;
    },
    shared(name) {
      use(name);
      return name;
    },
    text(root) {
      const lines = [`root ::= ${root}`];
      for (const [name, body] of rules) lines.push(`${name} ::= ${body}`);
      for (const [name, body] of shared) if (used.has(name)) lines.push(`${name} ::= ${body}`);
      return `${lines.join('\n')}\n`;
    },
  };
}

function withoutTexts(body: string): string {
  return body.replace(/"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]/g, ' ');
}

/** The parts after each other. */
export function sequence(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ') || '""';
}

export function terminal(text: string): string {
  return `"${text.replace(/["\\\n\r\t]/g, (character) => escapes[character] ?? character)}"`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': String.raw`\"`,
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};
