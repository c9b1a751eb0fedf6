import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import type { GetPrismaClientConfig } from '@prisma/client/runtime/client';

type CompilerFiles = NonNullable<GetPrismaClientConfig['compilerWasm']>;
type CompilerModule = Awaited<ReturnType<CompilerFiles['getRuntime']>>;
type CompilerOptions = ConstructorParameters<CompilerModule['QueryCompiler']>[0];
type Compiler = InstanceType<CompilerModule['QueryCompiler']>;

// The libraries of the compiler have it for browsers only.
declare const WebAssembly: {
  readonly Module: new (program: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> };
};

interface CompilerSource {
  readonly loadModule: () => CompilerModule;
  /** The program in WebAssembly as Base64. */
  readonly loadProgram: () => string;
  readonly importName: string;
  readonly clientVersion: string;
}

const hashLength = 64;
const maxPlans = 500;
/** Characters of a query with its plan; what inserts many rows at once is compiled each time. */
const maxPlanLength = 65_536;

/** Exports `__wbindgen_start`, which does nothing. */
const emptyProgram = Buffer.from(
  '0061736d0100000001040160000003020100071401105f5f7762696e6467656e5f737461727400000a040102000b',
  'hex',
);

/**
 * Makes Prisma load its query compiler when a query has no plan yet. Loading takes 40 ms and as many megabytes, and a
 * plan some milliseconds, which is most of what a short command needs. When a client is closed, its plans are kept
 * beside the compiled code of the process for the next one; a process that keeps no compiled code keeps no plans either.
 * A query has placeholders where values would be.
 */
export function withKeptQueryPlans(source: CompilerSource, folder = getCompileCacheDir()): CompilerFiles {
  let module: CompilerModule | undefined;
  const openCompiler = (options: CompilerOptions): Compiler => {
    module ??= instantiate(source);
    return new module.QueryCompiler(options);
  };
  class LazyCompiler {
    readonly #options: CompilerOptions;
    readonly #plans: QueryPlans;
    #compiler: Compiler | undefined;

    constructor(options: CompilerOptions) {
      this.#options = options;
      const models = hash(JSON.stringify([source.clientVersion, options]));
      this.#plans = folder === undefined ? noPlans : openQueryPlans(path.join(folder, `query-plans-${models}`));
    }

    compile(query: string): ReturnType<Compiler['compile']> {
      const known = this.#plans.find(query);
      if (known !== undefined) return known as ReturnType<Compiler['compile']>;
      const plan = this.#open().compile(query);
      this.#plans.keep(query, plan);
      return plan;
    }

    compileBatch(queries: string): ReturnType<Compiler['compileBatch']> {
      return this.#open().compileBatch(queries);
    }

    free(): void {
      this.#plans.save();
      this.#compiler?.free();
    }

    #open(): Compiler {
      return (this.#compiler ??= openCompiler(this.#options));
    }
  }
  return {
    getRuntime: () => Promise.resolve({ QueryCompiler: LazyCompiler, __wbg_set_wasm: () => undefined }),
    getQueryCompilerWasmModule: () => Promise.resolve(new WebAssembly.Module(emptyProgram)),
    importName: source.importName,
  };
}

/** As Prisma does it, but at once: a query cannot wait for it. */
function instantiate({ loadModule, loadProgram, importName }: CompilerSource): CompilerModule {
  const module = loadModule();
  const program = new WebAssembly.Module(Buffer.from(loadProgram(), 'base64'));
  const { exports } = new WebAssembly.Instance(program, { [importName]: { ...module } });
  module.__wbg_set_wasm(exports);
  (exports.__wbindgen_start as () => void)();
  return module;
}

interface QueryPlans {
  readonly find: (query: string) => unknown;
  readonly keep: (query: string, plan: unknown) => void;
  readonly save: () => void;
}

const noPlans: QueryPlans = { find: () => undefined, keep: () => undefined, save: () => undefined };

/** Of processes that save at the same time, the plans of the last one are kept; those of the others are compiled again. */
function openQueryPlans(file: string): QueryPlans {
  const plans = readPlans(file);
  const added = new Map<string, string>();
  return {
    find: (query) => {
      const plan = plans.get(hash(query));
      return plan === undefined ? undefined : parsePlan(plan);
    },
    keep: (query, plan) => {
      const text = JSON.stringify(plan);
      if (added.size < maxPlans && query.length + text.length <= maxPlanLength) added.set(hash(query), text);
    },
    save: () => {
      if (added.size > 0) writePlans(file, [...new Map([...readPlans(file), ...added])].slice(-maxPlans));
      added.clear();
    },
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Reads lines of the hash of a query and its plan, which is parsed when it is needed. */
function readPlans(file: string): ReadonlyMap<string, string> {
  const lines = readText(file).split('\n').slice(0, -1);
  return new Map(lines.map((line) => [line.slice(0, hashLength), line.slice(hashLength)]));
}

/** What cannot be read is compiled again. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function parsePlan(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Where nothing can be written, nothing is kept. */
function writePlans(file: string, plans: readonly (readonly [string, string])[]): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, plans.map(([query, plan]) => `${query}${plan}\n`).join(''), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The next process compiles them again.
  }
}
