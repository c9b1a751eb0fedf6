import { isSystemError } from '@weir/errors';
import { appendFileSync, closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

const maxBytes = 1_048_576;

export type Exclusion =
  | { readonly kind: 'not_a_tree' }
  /** `path` is of the exclude file; `added` is false where the line was there already. */
  | { readonly kind: 'excluded'; readonly path: string; readonly line: string; readonly added: boolean }
  | { readonly kind: 'failed'; readonly warning: string };

/**
 * Keeps the file out of `git status` and `git add` by the exclude file of the tree that the folder is in, which is never
 * committed. Knows worktrees and submodules. Never throws: without it the credentials are as good as with it.
 */
export function excludeFromGit(folder: string, name: string): Exclusion {
  try {
    const tree = treeOf(folder);
    if (tree === undefined) return { kind: 'not_a_tree' };
    const line = excludeLine(path.relative(tree, folder), name);
    const gitFolder = gitFolderOf(tree);
    const info = path.join(gitFolder, 'info');
    mkdirSync(info, { recursive: true });
    assertKind(info, 'folder');
    const file = path.join(info, 'exclude');
    return { kind: 'excluded', path: file, line, added: addLine(file, line) };
  } catch (error) {
    return { kind: 'failed', warning: failureText(name, error) };
  }
}

/** The innermost tree around a folder, as git itself would find it: a workspace may lie within one. */
function treeOf(folder: string): string | undefined {
  if (lstatSync(path.join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : treeOf(parent);
}

/** A path from the top of the tree, in which nothing stands for anything but itself. */
function excludeLine(folder: string, name: string): string {
  if (/[\r\n]/.test(folder)) throw new Error('a folder has a line break in its name');
  const segments = folder.split(path.sep).filter((segment) => segment !== '');
  return `/${[...segments, name].join('/').replaceAll(/[\\*?[\]]/g, String.raw`\$&`)}`;
}

/** Where the tree's git keeps what all its worktrees share. */
function gitFolderOf(folder: string): string {
  const entry = path.join(folder, '.git');
  if (lstatSync(entry).isDirectory()) return realGitFolder(entry);
  assertKind(entry, 'file');
  const target = /^gitdir: (.+)$/m.exec(readSmall(entry))?.[1];
  if (target === undefined) throw new Error(`"${entry}" does not name a git folder`);
  const gitFolder = path.resolve(folder, target);
  return realGitFolder(path.resolve(gitFolder, commonFolder(gitFolder)));
}

function commonFolder(gitFolder: string): string {
  try {
    return readSmall(path.join(gitFolder, 'commondir')).trim();
  } catch (error) {
    // Of worktrees only; a submodule has a git folder of its own.
    if (isSystemError(error, 'ENOENT')) return '.';
    throw error;
  }
}

// A `.git` file may name any folder of the machine: only one that git made is written to.
function realGitFolder(folder: string): string {
  assertKind(folder, 'folder');
  assertKind(path.join(folder, 'HEAD'), 'file');
  return folder;
}

// Symbolic links are neither: behind them lies what no step asked to be changed.
function assertKind(entry: string, kind: 'file' | 'folder'): void {
  const stats = lstatSync(entry);
  if (kind === 'file' ? stats.isFile() : stats.isDirectory()) return;
  throw new Error(`"${entry}" is not a ${kind}`);
}

function addLine(file: string, line: string): boolean {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const descriptor = openSync(file, flags, 0o644);
  try {
    const text = readBounded(descriptor, file);
    if (text.split(/\r?\n/).includes(line)) return false;
    appendFileSync(descriptor, text === '' || text.endsWith('\n') ? `${line}\n` : `\n${line}\n`);
    return true;
  } finally {
    closeSync(descriptor);
  }
}

function readSmall(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return readBounded(descriptor, file);
  } finally {
    closeSync(descriptor);
  }
}

function readBounded(descriptor: number, file: string): string {
  const stats = fstatSync(descriptor);
  if (!stats.isFile() || stats.size > maxBytes) throw new Error(`"${file}" is too large or not a file`);
  return readFileSync(descriptor, 'utf8');
}

function failureText(name: string, error: unknown): string {
  const told = `The credentials file ${name} could not be added to the exclude file of git (${String(error)}).`;
  return `${told} Take care that no later step commits it: add gha-creds-*.json to .gitignore.`;
}
