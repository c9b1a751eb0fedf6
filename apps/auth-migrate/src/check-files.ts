import { readFileSync, statSync, writeFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { checkText } from './check-text';
import { applyEdits, type Finding, type FindingKind } from './finding';

/** Larger than any file that GitHub accepts as a workflow. */
const maximumBytes = 1024 * 1024;

export interface FileReport {
  readonly path: string;
  readonly findings: readonly Finding[];
  /** The reason why the file could not be checked. */
  readonly unreadable: string | undefined;
}

export interface Report {
  readonly target: string;
  /** All files that were read, in order. */
  readonly files: readonly FileReport[];
  /** Whether the changes were applied. */
  readonly isWritten: boolean;
}

export interface CheckSettings {
  readonly root: string;
  readonly target: string;
  readonly write: boolean;
}

/** Checks every file below the root, and applies the changes on request. A file that is not read is not changed. */
export function checkFiles({ root, target, write }: CheckSettings): Report {
  const files = findFiles(root).map((file): FileReport => {
    const place = path.join(root, file);
    const name = file === '' ? path.basename(root) : file;
    if (statSync(place).size > maximumBytes) {
      return { path: name, findings: [], unreadable: 'It is larger than 1 MiB.' };
    }
    const bytes = readFileSync(place);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes)) return { path: name, findings: [], unreadable: 'It is not UTF-8.' };
    const report = checkText(text, target);
    if ('unreadable' in report) return { path: name, findings: [], unreadable: report.unreadable };
    const edits = report.findings.flatMap(({ edit }) => edit ?? []);
    if (write && edits.length > 0) writeFileSync(place, applyEdits(text, edits));
    return { path: name, findings: report.findings, unreadable: undefined };
  });
  return { target, files, isWritten: write };
}

export function countFindings({ files }: Report, kind: FindingKind): number {
  return files.flatMap(({ findings }) => findings).filter((finding) => finding.kind === kind).length;
}

/** 0: no changes remain; 1: some remain; 2: a file could not be checked. */
export function exitCodeOf(report: Report): 0 | 1 | 2 {
  if (report.files.some(({ unreadable }) => unreadable !== undefined)) return 2;
  const isChangePending = !report.isWritten && countFindings(report, 'change') > 0;
  return isChangePending || countFindings(report, 'manual') > 0 ? 1 : 0;
}

/** Folders that hold nothing a workflow of this repository uses. */
const ignoredFolders = new Set(['.git', 'node_modules']);

/**
 * The workflows of a repository and the metadata files of its own actions, relative to the folder and sorted. Links are
 * not followed. A file gives only itself. Throws if nothing exists at the path.
 */
function findFiles(root: string): readonly string[] {
  if (statSync(root).isFile()) return [''];
  return listFiles(root, '').sort();
}

function listFiles(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return ignoredFolders.has(entry.name) ? [] : listFiles(root, file);
    return entry.isFile() && isWanted(folder, entry.name) ? [file] : [];
  });
}

function isWanted(folder: string, name: string): boolean {
  if (/^action\.ya?ml$/.test(name)) return true;
  return /(?:^|\/)\.github\/workflows$/.test(folder) && /\.ya?ml$/.test(name);
}
