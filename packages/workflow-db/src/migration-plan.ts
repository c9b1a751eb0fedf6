import { databaseNewer, migrationEdited, migrationUnfinished } from './database-errors';
import type { MigrationFile } from './migration-files';

/** One row of Prisma's ledger. */
export interface LedgerRow {
  readonly id: string;
  readonly name: string;
  readonly checksum: string;
  readonly isFinished: boolean;
  readonly isRolledBack: boolean;
  /** The version of the program that applied it; missing if the program named none. */
  readonly version?: string | undefined;
}

/** The applied migrations of a call, and the ledger after it. */
export interface Migrated {
  readonly applied: readonly MigrationFile[];
  readonly ledger: readonly LedgerRow[];
}

/**
 * Identifies a database and its copies: the ID that its first migration got when it was applied. Undefined for an empty
 * database.
 */
export function readInstance(ledger: readonly LedgerRow[]): string | undefined {
  const rows = ledger.filter((row) => row.isFinished && !row.isRolledBack);
  return rows.toSorted((left, right) => (left.name < right.name ? -1 : 1))[0]?.id;
}

/** The text in `logs` of a migration that succeeded, which Prisma leaves empty. */
export function formatApplier(version: string | undefined): string | null {
  return version === undefined ? null : `weir ${version}`;
}

/**
 * The migrations that the database lacks, in order. Throws when the ledger and the files do not match: for an
 * unfinished migration, for one whose file was edited, and for one without a file, unless a program applied it that is at
 * most one minor version ahead of this one.
 */
export function planMigrations(
  files: readonly MigrationFile[],
  ledger: readonly LedgerRow[],
  version?: string,
): readonly MigrationFile[] {
  const filesByName = new Map(files.map((file) => [file.name, file]));
  const rows = ledger.filter((row) => !row.isRolledBack);

  const unknown = rows.filter((row) => !filesByName.has(row.name));
  const tooNew = unknown.filter((row) => !isAtMostOneMinorAhead(row.version, version));
  if (tooNew.length > 0) throw databaseNewer(tooNew, version);
  for (const row of rows) {
    if (!row.isFinished) throw migrationUnfinished(row.name);
    const file = filesByName.get(row.name);
    if (file !== undefined && row.checksum !== file.checksum) throw migrationEdited(row.name);
  }

  const applied = new Set(rows.map((row) => row.name));
  return files.filter((file) => !applied.has(file.name));
}

/** Versions of the program share a database if they have the same minor version or the next one. */
function isAtMostOneMinorAhead(newer: string | undefined, own: string | undefined): boolean {
  const other = parseVersion(newer);
  const mine = parseVersion(own);
  if (other === undefined || mine === undefined) return false;
  return other.major === mine.major && other.minor - mine.minor <= 1;
}

function parseVersion(text: string | undefined) {
  const [, major, minor] = /^(\d+)\.(\d+)\.\d+/.exec(text ?? '') ?? [];
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
