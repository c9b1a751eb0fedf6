import type { AppError } from '@weir/foundation';
import { actionFailed } from '../../model/steps/action-errors';

export const archiveFormats = ['zip', 'tar', 'tar.gz', 'tar.zst'] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

export interface ArchiveEntry {
  /** Relative, with `/` between names and none at the end. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'hard link' | 'other';
  readonly size: number;
  readonly mode: number | undefined;
  /** The target of a link. */
  readonly target?: string | undefined;
}

export interface PackOrder {
  readonly folder: string;
  readonly entries: readonly ArchiveEntry[];
  readonly file: string;
  readonly level: number;
  readonly password: string | undefined;
  readonly signal: AbortSignal;
}

export interface ReadOrder {
  readonly file: string;
  readonly password: string | undefined;
  readonly signal: AbortSignal;
}

export interface UnpackOrder extends ReadOrder {
  /** An existing folder. */
  readonly folder: string;
  /** Selects entries by their path in the archive. */
  readonly isWanted: (path: string) => boolean;
  /** Number of leading folders to remove; entries with fewer are left out. */
  readonly strip: number;
  readonly maxBytes: number;
}

/** Reads and writes the archives of one format. Rejects with an `AppError` for a file that is no such archive. */
export interface Archiver {
  pack(order: PackOrder): Promise<void>;
  list(order: ReadOrder): Promise<readonly ArchiveEntry[]>;
  /** Overwrites existing files; what leads outside of the folder was refused before. */
  unpack(order: UnpackOrder): Promise<void>;
}

const maxEntries = 100_000;

/** Entries in memory are bounded, because an archive can have millions of them in little space. */
export function checkEntryCount(count: number): void {
  if (count > maxEntries) throw actionFailed(`The archive contains more than ${maxEntries} entries.`);
}

export function damaged(format: string, cause: unknown): AppError {
  return actionFailed(`source is damaged, or is no ${format} archive.`, cause);
}

export function tooLarge(maxBytes: number): AppError {
  return actionFailed(`The contents of the archive are larger than ${maxBytes} bytes.`);
}

const endings: readonly (readonly [RegExp, ArchiveFormat])[] = [
  [/\.zip$/i, 'zip'],
  [/\.tar$/i, 'tar'],
  [/\.(?:tar\.gz|tgz)$/i, 'tar.gz'],
  [/\.(?:tar\.zst|tzst)$/i, 'tar.zst'],
];

/** The path without leading folders; `undefined` when nothing is left. */
export function stripFolders(path: string, strip: number): string | undefined {
  const rest = path.split('/').slice(strip).join('/');
  return rest === '' ? undefined : rest;
}

/** The format that is named, else that of the file name. */
export function chooseFormat(setting: string, path: string, format: ArchiveFormat | undefined): ArchiveFormat {
  const found = format ?? endings.find(([pattern]) => pattern.test(path))?.[1];
  if (found === undefined) {
    throw actionFailed(`The name of ${setting} does not show the format, so format is required.`);
  }
  return found;
}
