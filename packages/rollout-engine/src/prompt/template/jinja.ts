import * as library from '@huggingface/jinja';

/** A value inside the template engine. */
export interface TemplateValue {
  /** Name of its class. */
  readonly type: string;
  readonly value: unknown;
  __bool__(): { readonly value: boolean };
}

export interface TemplateEnvironment {
  /** Converts plain data to a value of the engine. */
  set(name: string, data: unknown): TemplateValue;
  setVariable(name: string, value: TemplateValue): TemplateValue;
}

/** A node of the parsed tree of a template. */
export interface TemplateNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Interpreter {
  run(program: TemplateNode): TemplateValue;
  evaluate(node: TemplateNode, environment: TemplateEnvironment): TemplateValue;
}

interface Library {
  readonly Environment: new (parent?: TemplateEnvironment) => TemplateEnvironment;
  readonly Interpreter: new (environment: TemplateEnvironment) => Interpreter;
  readonly tokenize: (
    source: string,
    options: { readonly lstrip_blocks: boolean; readonly trim_blocks: boolean },
  ) => unknown;
  readonly parse: (tokens: unknown) => TemplateNode;
}

// The library's declarations import each other without file extensions, which this module resolution reads as `any`.
export const { Environment, Interpreter, tokenize, parse } = library as unknown as Library;
