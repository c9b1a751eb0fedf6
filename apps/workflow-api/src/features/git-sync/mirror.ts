import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommitOrder } from './commit-stream';
import { formatCommit } from './commit-stream';
import { gitHash } from './git-hash';
import { runGit, type GitOutcome } from './git-program';
import { emptyTree, maxItems, parseTree, type RemoteTree } from './remote-tree';
import { pushRefused, repositoryFailed } from './sync-errors';

/** The part of a repository that this machine has fetched. */
export interface Mirror {
  /** Returns the present commit of the branch; `undefined` for a branch that does not exist yet. */
  findCommit(): Promise<string | undefined>;
  /** Does the same, and fetches everything that belongs to the commit. */
  fetch(): Promise<string | undefined>;
  readTree(commit: string | undefined): Promise<RemoteTree>;
  /** Returns texts by their hashes; contents that are no text, or not here, are missing. */
  readTexts(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the newest commit that changed each of these paths below the path of the repository. */
  findChanges(
    commit: string,
    since: string | undefined,
    filePaths: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, RemoteChange>>;
  /** Makes the commit the newest of the branch. Returns its id, or `undefined` when the branch has moved meanwhile. */
  push(order: CommitOrder): Promise<string | undefined>;
}

export interface RemoteChange {
  readonly commit: string;
  readonly author: string;
  readonly message: string;
}

export interface MirrorOptions {
  /** The folder for this repository, which is created when missing. It may be removed whenever it is not in use. */
  readonly folder: string;
  readonly url: string;
  readonly branch: string;
  /** The path of the repository, empty or with a trailing "/". */
  readonly prefix: string;
  readonly localEnv: Readonly<Record<string, string>>;
  readonly remoteEnv: Readonly<Record<string, string>>;
  readonly remoteConfig: readonly string[];
  /** Texts that no message may show. */
  readonly hidden: readonly string[];
  readonly signal: AbortSignal;
}

const maxMirrorBytes = 1_073_741_824;
const watchMs = 1_000;
const fetched = 'refs/weir/fetched';
const maxMessage = 400;
/** Limits the commits that are read; older changes are shown with the newest commit. */
const maxLogCommits = 5_000;

export function createMirror(options: MirrorOptions): Mirror {
  const git = createCalls(options);
  return { ...createRemoteCalls(options, git), ...createLocalCalls(options, git) };
}

type Calls = ReturnType<typeof createCalls>;

function createCalls(options: MirrorOptions) {
  const { folder, localEnv, remoteEnv, remoteConfig, signal } = options;
  const run = (args: readonly string[], input = '') => runGit({ args, folder, env: localEnv, input, signal });
  const remote = (args: readonly string[], limit = signal): Promise<GitOutcome> =>
    runGit({ args, folder, env: remoteEnv, config: remoteConfig, signal: limit });
  return {
    run,
    remote,
    local: async (args: readonly string[], input = ''): Promise<Buffer> => {
      const { isSuccessful, stdout, message } = await run(args, input);
      if (!isSuccessful) throw new Error(`git ${args[0] ?? ''} has failed: ${message}`);
      return stdout;
    },
    reach: async (args: readonly string[], limit?: AbortSignal): Promise<Buffer> => {
      const { isSuccessful, stdout, message } = await remote(args, limit);
      if (!isSuccessful) throw repositoryFailed(shown(message, options));
      return stdout;
    },
  };
}

function createRemoteCalls(
  options: MirrorOptions,
  { run, local, remote, reach }: Calls,
): Pick<Mirror, 'findCommit' | 'fetch' | 'push'> {
  const { folder, url, branch, signal } = options;
  const ref = `refs/heads/${branch}`;
  const findCommit = async (): Promise<string | undefined> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const printed = (await reach(['ls-remote', '--', url, ref])).toString('utf8');
    return /^([0-9a-f]{40})\t/.exec(printed)?.[1];
  };
  return {
    findCommit,
    fetch: async () => {
      const commit = await findCommit();
      await run(['init', '--quiet', '--bare', '.']).then(assertMade);
      await removeLocks(folder);
      if (commit === undefined || (await run(['cat-file', '-e', `${commit}^{tree}`])).isSuccessful) return commit;
      const args = ['fetch', '--quiet', '--force', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
      await bounded(folder, signal, (limit) => reach([...args, '--', url, `${ref}:${fetched}`], limit));
      return (await local(['rev-parse', '--verify', fetched])).toString('utf8').trim();
    },
    push: async (order) => {
      const made = await local(['fast-import', '--quiet', '--force', '--done'], formatCommit(order));
      const commit = made.toString('utf8').trim();
      const pushed = await remote(['push', '--porcelain', '--no-verify', '--', url, `${commit}:${ref}`]);
      if (pushed.isSuccessful) return commit;
      const printed = `${pushed.stdout.toString('utf8')}\n${pushed.message}`;
      if (/\[rejected\]|cannot lock ref|failed to update ref|reference already exists/.test(printed)) return undefined;
      if (printed.includes('[remote rejected]')) throw pushRefused(shown(pushed.message, options));
      throw repositoryFailed(shown(pushed.message, options));
    },
  };
}

function createLocalCalls(
  { folder, prefix }: MirrorOptions,
  { run, local }: Calls,
): Pick<Mirror, 'readTree' | 'readTexts' | 'findChanges'> {
  const below = prefix === '' ? [] : ['--', prefix];
  return {
    readTree: async (commit) => {
      if (commit === undefined) return emptyTree;
      const printed = await local(['ls-tree', '-r', '-z', '-l', '--full-tree', commit, ...below]);
      const tree = parseTree(printed.toString('utf8'), prefix);
      if (tree.files.size > maxItems) throw repositoryFailed(`it has more than ${maxItems} files to synchronise.`);
      return tree;
    },
    readTexts: async (hashes) => {
      if (hashes.length === 0 || !existsSync(path.join(folder, 'HEAD'))) return new Map();
      return parseBatch(await local(['cat-file', '--batch'], `${hashes.join('\n')}\n`));
    },
    findChanges: async (commit, since, filePaths) => {
      const isKnown = since !== undefined && (await run(['merge-base', '--is-ancestor', since, commit])).isSuccessful;
      const range = isKnown ? [commit, `^${since}`] : [commit];
      const format = '--format=%x01%H%x02%an%x02%s%x02';
      const limits = ['-z', '--no-renames', '--name-only', `--max-count=${maxLogCommits}`];
      const printed = await local(['log', format, ...limits, ...range, ...below]);
      const newest = await local(['log', format, '-z', '--max-count=1', commit]);
      return parseChanges({ log: printed.toString('utf8'), newest: newest.toString('utf8'), prefix, filePaths });
    },
  };
}

/** Returns the end of git's messages, without credentials. */
function shown(message: string, { hidden }: Pick<MirrorOptions, 'hidden'>): string {
  const masked = hidden.filter((each) => each !== '').reduce((text, each) => text.replaceAll(each, '*****'), message);
  return masked.slice(-maxMessage);
}

function assertMade({ isSuccessful, message }: GitOutcome): void {
  if (!isSuccessful) throw new Error(`The folder for the repository could not be made: ${message}`);
}

/** Removes locks that a killed git process has left: only one process synchronises at a time. */
async function removeLocks(folder: string): Promise<void> {
  for (const below of ['.', 'refs/weir']) {
    const names = await readdir(path.join(folder, below)).catch(() => []);
    for (const name of names.filter((each) => each.endsWith('.lock')))
      await rm(path.join(folder, below, name), { force: true });
  }
}

/** Ends a transfer that fills the disk. */
async function bounded<T>(folder: string, signal: AbortSignal, work: (limit: AbortSignal) => Promise<T>): Promise<T> {
  const full = new AbortController();
  const watch = setInterval(() => {
    void packBytes(folder).then((bytes) => {
      if (bytes > maxMirrorBytes) full.abort(repositoryFailed(`it is larger than ${maxMirrorBytes} bytes.`));
    });
  }, watchMs);
  try {
    return await work(AbortSignal.any([signal, full.signal]));
  } finally {
    clearInterval(watch);
  }
}

async function packBytes(folder: string): Promise<number> {
  const packs = path.join(folder, 'objects', 'pack');
  const names = await readdir(packs).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(path.join(packs, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Parses the output of `git cat-file --batch`. */
function parseBatch(printed: Buffer): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let at = 0;
  while (at < printed.length) {
    const lineEnd = printed.indexOf(10, at);
    const [hash = '', type, size] = printed.toString('utf8', at, lineEnd).split(' ');
    at = lineEnd + 1;
    if (type !== 'blob') continue;
    const text = printed.toString('utf8', at, at + Number(size));
    // A content that is not UTF-8 would change when it is decoded to text.
    if (gitHash(text) === hash && !text.includes('\0')) texts.set(hash, text);
    at += Number(size) + 1;
  }
  return texts;
}

interface PrintedLog {
  readonly log: string;
  /** The newest commit, for paths that are not in the log. */
  readonly newest: string;
  readonly prefix: string;
  readonly filePaths: ReadonlySet<string>;
}

function parseChanges({ log, newest, prefix, filePaths }: PrintedLog): ReadonlyMap<string, RemoteChange> {
  const changes = new Map<string, RemoteChange>();
  for (const entry of log.split('\u0001').filter((each) => each !== '')) {
    const { change, rest } = parseEntry(entry);
    for (const name of rest.split('\0')) {
      const filePath = name.replace(/^\n/, '');
      if (!filePath.startsWith(prefix)) continue;
      const below = filePath.slice(prefix.length);
      if (filePaths.has(below) && !changes.has(below)) changes.set(below, change);
    }
  }
  const { change } = parseEntry(newest.slice(1));
  for (const filePath of filePaths) if (!changes.has(filePath)) changes.set(filePath, change);
  return changes;
}

function parseEntry(entry: string): { readonly change: RemoteChange; readonly rest: string } {
  const [commit = '', author = '', message = '', ...rest] = entry.split('\u0002');
  return {
    change: { commit, author: author.slice(0, 200), message: message.slice(0, 500) },
    rest: rest.join('\u0002'),
  };
}
