import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '@weir/foundation';

/** Loads a module. Default: `import()`. */
export type ImportModule = (specifier: string) => Promise<Readonly<Record<string, unknown>>>;

export interface ImportOptions {
  /** Base of relative specifiers. Default: the working directory. */
  readonly baseFolder?: string;
  readonly importModule?: ImportModule;
}

const importIt: ImportModule = (specifier) => import(specifier) as Promise<Readonly<Record<string, unknown>>>;

/**
 * Imports what `module specifier#export` names; without `#`, the export `default`. Fails with `invalid_request`, reason
 * `import_failed`, where the module cannot be loaded or has no such export.
 */
export async function importPath(text: string, options: ImportOptions = {}): Promise<unknown> {
  const { baseFolder = process.cwd(), importModule = importIt } = options;
  const { specifier, name } = splitImportPath(text);
  const loaded = await load(importModule, toUrl(specifier, baseFolder), text);
  if (!(name in loaded)) throw importFailed(text, `has no export "${name}"`);
  return loaded[name];
}

/** The same path with an absolute specifier, which means the same in another process. */
export function absoluteImportPath(text: string, baseFolder: string): string {
  const { specifier, name } = splitImportPath(text);
  return `${toUrl(specifier, baseFolder)}#${name}`;
}

function splitImportPath(text: string): { readonly specifier: string; readonly name: string } {
  const at = text.lastIndexOf('#');
  const [specifier, name] = at <= 0 ? [text, 'default'] : [text.slice(0, at), text.slice(at + 1)];
  if (specifier === '' || name === '') throw importFailed(text, 'is not of the form "module#export"');
  return { specifier, name };
}

/** Packages and URLs stay as they are. */
function toUrl(specifier: string, baseFolder: string): string {
  const isFile = /^\.{1,2}\//.test(specifier) || path.isAbsolute(specifier);
  return isFile ? pathToFileURL(path.resolve(baseFolder, specifier)).href : specifier;
}

async function load(importModule: ImportModule, url: string, text: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await importModule(url);
  } catch (cause) {
    throw importFailed(text, 'cannot be imported', cause);
  }
}

function importFailed(text: string, what: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `The import path "${text.slice(0, 200)}" ${what}.`, {
    reason: 'import_failed',
    ...(cause === undefined ? {} : { cause }),
  });
}
