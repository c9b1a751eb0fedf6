import { schemaNotSupported } from './schema-error';

const maxGrammarLength = 262_144;

/** Collects the rules of a grammar in the subset of GBNF that llama.cpp and XGrammar share. */
export interface GrammarRules {
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
const sharedRules = {
  gap: '" "?',
  character: String.raw`[^"\\\x00-\x1F] | "\\" ["\\/bfnrt] | "\\u00" [01] [0-9a-f]`,
  string: String.raw`"\"" character* "\""`,
  digits: '"0" | [1-9] [0-9]{0,14}',
  integer: '"-"? digits',
  number: '"-"? digits ("." [0-9]{1,15})? ([eE] [+-]? [0-9]{1,2})?',
  boolean: '"true" | "false"',
  null: '"null"',
  member: 'string ":" gap value',
  object: '"{" (member ("," gap member)*)? "}"',
  array: '"[" (value ("," gap value)*)? "]"',
  value: 'object | array | string | number | boolean | null',
} as const;
export type SharedRule = keyof typeof sharedRules;

export function createGrammarRules(): GrammarRules {
  const rules = new Map<string, string>();
  const used = new Set<SharedRule>();
  let length = 0;
  let names = 0;

  const define = (name: string, body: string) => {
    length += body.length;
    if (length > maxGrammarLength) throw schemaNotSupported('', 'its grammar is too large');
    rules.set(name, body);
  };
  const reserve = () => `r${names++}`;

  const use = (name: SharedRule) => {
    if (used.has(name)) return;
    used.add(name);
    for (const other of sharedRuleNames) {
      if (other !== name && new RegExp(`\\b${other}\\b`).test(withoutTexts(sharedRules[name]))) use(other);
    }
  };

  return {
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
      for (const name of sharedRuleNames) if (used.has(name)) lines.push(`${name} ::= ${sharedRules[name]}`);
      return `${lines.join('\n')}\n`;
    },
  };
}

const sharedRuleNames = Object.keys(sharedRules) as readonly SharedRule[];

function withoutTexts(body: string): string {
  return body.replace(/"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]/g, ' ');
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
