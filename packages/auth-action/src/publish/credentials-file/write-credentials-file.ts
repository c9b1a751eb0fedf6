import { AppError, isSystemError } from '@weir/foundation';
import { createHash } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import type { FileIdentity } from '../../runner/state';

export interface CredentialsFileRequest {
  /** The result of {@link findCredentialsFolder}. */
  readonly folder: string | undefined;
  /** A part of the file's name. */
  readonly identityName?: string | undefined;
  /** Returns the content for the path of the file. */
  readonly format: (file: string) => string;
  /** Permissions of the file, applied regardless of the umask. */
  readonly mode: number;
  readonly random: (bytes: number) => Uint8Array;
}

export interface WrittenCredentialsFile {
  readonly path: string;
  readonly identity: FileIdentity;
  readonly folderWasEmpty: boolean;
}

/**
 * Creates a new file and flushes it to disk. Never overwrites an existing file, and leaves none behind on failure.
 *
 * Fails with `invalid_request` and reason `workspace_unset` or `workspace_missing`, `forbidden` and
 * `workspace_unwritable`, or `internal` and `credentials_file_failed`.
 */
export function writeCredentialsFile(request: CredentialsFileRequest): WrittenCredentialsFile {
  const { folder, folderWasEmpty } = openFolder(request.folder);
  const prefix = request.identityName === undefined ? '' : `${request.identityName}-`;
  const name = `gha-creds-${prefix}${Buffer.from(request.random(8)).toString('hex')}.json`;
  const file = path.join(folder.given, name);
  const created = create({ folder: folder.real, name, json: request.format(file), mode: request.mode });
  return { path: file, identity: created, folderWasEmpty };
}

/** Fails like {@link writeCredentialsFile} without a workspace, but before any token is requested. */
export function assertFolder(folder: string | undefined): void {
  openFolder(folder);
}

/** The workspace, which container steps mount as well, unless a folder was chosen. */
export function findCredentialsFolder(
  directory: string | undefined,
  { GITHUB_WORKSPACE: workspace }: ActionsRuntime['env'],
): string | undefined {
  if (directory === undefined || path.isAbsolute(directory)) return directory ?? workspace;
  return workspace ? path.join(workspace, directory) : undefined;
}

function openFolder(folder: string | undefined): {
  readonly folder: { readonly given: string; readonly real: string };
  readonly folderWasEmpty: boolean;
} {
  if (folder === undefined || folder === '') {
    throw new AppError(
      'invalid_request',
      'GITHUB_WORKSPACE is not set, so there is no folder for the credentials file.',
      {
        reason: 'workspace_unset',
      },
    );
  }
  try {
    const folderWasEmpty = readdirSync(folder).length === 0;
    return { folder: { given: path.resolve(folder), real: realpathSync(folder) }, folderWasEmpty };
  } catch (cause) {
    throw new AppError(
      'invalid_request',
      `"${folder}" cannot be read as a folder, so it cannot have the credentials file.`,
      {
        reason: 'workspace_missing',
        cause,
      },
    );
  }
}

interface NewFile {
  readonly folder: string;
  readonly name: string;
  readonly json: string;
  readonly mode: number;
}

function create({ folder, name, json, mode }: NewFile): FileIdentity {
  const file = path.join(folder, name);
  const descriptor = openNew(file, folder);
  try {
    writeFileSync(descriptor, json);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
    const { dev, ino, size } = fstatSync(descriptor, { bigint: true });
    return {
      folder,
      name,
      device: String(dev),
      inode: String(ino),
      size: Number(size),
      sha256: createHash('sha256').update(json).digest('hex'),
    };
  } catch (cause) {
    rmSync(file, { force: true });
    throw new AppError('internal', `The credentials file could not be written to "${folder}".`, {
      reason: 'credentials_file_failed',
      cause,
    });
  } finally {
    closeSync(descriptor);
  }
}

function openNew(file: string, folder: string): number {
  try {
    // Only the owner can read it until it is complete.
    return openSync(file, 'wx', 0o600);
  } catch (cause) {
    if (isSystemError(cause, 'EACCES', 'EPERM', 'EROFS')) {
      throw new AppError('forbidden', `The action has no permission to create a file in "${folder}".`, {
        reason: 'workspace_unwritable',
        cause,
      });
    }
    throw new AppError('internal', `The credentials file could not be created in "${folder}".`, {
      reason: 'credentials_file_failed',
      cause,
    });
  }
}
