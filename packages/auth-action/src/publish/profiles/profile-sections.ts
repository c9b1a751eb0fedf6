import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';

/** The text of a section with its header; `undefined` without one. AWS merges sections with the same name. */
export function findSection(text: string, name: string): string | undefined {
  const found = splitSections(text).filter((section) => isNamed(section, name));
  return found.length === 0 ? undefined : found.join('');
}

/** Puts the replacement in the place of the section, or at the end. Everything else stays as it is. */
export function replaceSection(text: string, name: string, replacement: string): string {
  const sections = splitSections(text);
  const first = sections.findIndex((section) => isNamed(section, name));
  if (first < 0) return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${replacement}`;
  return sections
    .flatMap((section, index) => {
      if (index === first) return replacement;
      return isNamed(section, name) ? [] : section;
    })
    .join('');
}

/** Each text starts with a header, except for what is before the first one. */
function splitSections(text: string): readonly string[] {
  return text.split(/^(?=[ \t]*\[)/m);
}

function isNamed(section: string, name: string): boolean {
  const [, header = ''] = /^[ \t]*\[([^\]\r\n]*)\]/.exec(section) ?? [];
  return header.replaceAll(/["']/g, '').trim().split(/\s+/).join(' ') === name;
}

/** Replaces the file as a whole, readable for its owner only; removes it if nothing is left. Follows links. */
export function writeProfileFile(given: string, text: string): void {
  const file = findTarget(given);
  if (text === '') {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.weir-new`;
  rmSync(next, { force: true });
  writeFileSync(next, text, { mode: 0o600, flag: 'wx' });
  renameSync(next, file);
}

function findTarget(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return file;
    throw error;
  }
}
