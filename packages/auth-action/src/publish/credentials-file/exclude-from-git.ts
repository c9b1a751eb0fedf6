import { isSystemError } from '@weir/foundation';
import { appendFileSync, closeSync, constants, lstatSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { readBoundedDescriptor, readBoundedFile, smallFileBytes } from '../../runner/read-bounded-file';

export type Exclusion =
  | { readonly kind: 'no_work_tree' }
  /** `path` is the exclude file; `added` is false if the line already existed. */
  | { readonly kind: 'excluded'; readonly path: string; readonly line: string; readonly added: boolean }
  | { readonly kind: 'failed'; readonly warning: string };

/**
 * Adds the file to `info/exclude` of the Git repository around the folder, which is never committed. Supports worktrees
 * and submodules. Never throws: the credentials are usable without it.
 */
export function excludeFromGit(folder: string, name: string): Exclusion {
  try {
    const tree = findWorkTree(folder);
    if (tree === undefined) return { kind: 'no_work_tree' };
    const line = excludeLine(path.relative(tree, folder), name);
    const gitFolder = findGitFolder(tree);
    const info = path.join(gitFolder, 'info');
    mkdirSync(info, { recursive: true });
    assertKind(info, 'folder');
    const file = path.join(info, 'exclude');
    return { kind: 'excluded', path: file, line, added: addLine(file, line) };
  } catch (error) {
    return { kind: 'failed', warning: formatWarning(name, error) };
  }
}

/** The innermost work tree that contains the folder, as Git finds it. */
function findWorkTree(folder: string): string | undefined {
  if (lstatSync(path.join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : findWorkTree(parent);
}

/** A path from the root of the work tree, with pattern characters escaped. */
function excludeLine(folder: string, name: string): string {
  if (/[\r\n]/.test(folder)) throw new Error('the name of a folder contains a line break');
  const segments = folder.split(path.sep).filter((segment) => segment !== '');
  return `/${[...segments, name].join('/').replaceAll(/[\\*?[\]]/g, String.raw`\$&`)}`;
}

/** The Git folder that all worktrees of the repository share. */
function findGitFolder(folder: string): string {
  const entry = path.join(folder, '.git');
  if (lstatSync(entry).isDirectory()) return realGitFolder(entry);
  assertKind(entry, 'file');
  const target = /^gitdir: (.+)$/m.exec(readSmallFile(entry))?.[1];
  if (target === undefined) throw new Error(`"${entry}" does not name a Git folder`);
  const gitFolder = path.resolve(folder, target);
  return realGitFolder(path.resolve(gitFolder, commonFolder(gitFolder)));
}

function commonFolder(gitFolder: string): string {
  try {
    return readSmallFile(path.join(gitFolder, 'commondir')).trim();
  } catch (error) {
    // Only worktrees have the file; a submodule has its own Git folder.
    if (isSystemError(error, 'ENOENT')) return '.';
    throw error;
  }
}

// A `.git` file may name any folder of the machine, so make sure that it is a Git folder before writing to it.
function realGitFolder(folder: string): string {
  assertKind(folder, 'folder');
  assertKind(path.join(folder, 'HEAD'), 'file');
  return folder;
}

// Symbolic links are refused, because their targets may be outside the repository.
function assertKind(entry: string, kind: 'file' | 'folder'): void {
  const stats = lstatSync(entry);
  if (kind === 'file' ? stats.isFile() : stats.isDirectory()) return;
  throw new Error(`"${entry}" is not a ${kind}`);
}

function addLine(file: string, line: string): boolean {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const descriptor = openSync(file, flags, 0o644);
  try {
    const text = readBoundedDescriptor(descriptor, file, smallFileBytes);
    if (text.split(/\r?\n/).includes(line)) return false;
    appendFileSync(descriptor, text === '' || text.endsWith('\n') ? `${line}\n` : `\n${line}\n`);
    return true;
  } finally {
    closeSync(descriptor);
  }
}

function readSmallFile(file: string): string {
  return readBoundedFile(file, smallFileBytes, constants.O_NOFOLLOW);
}

function formatWarning(name: string, error: unknown): string {
  const failure = `The credentials file ${name} could not be added to .git/info/exclude (${String(error)}).`;
  return `${failure} Add gha-creds-*.json to .gitignore so that no later step commits it.`;
}
