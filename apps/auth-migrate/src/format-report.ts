import { countFindings, type Report } from './check-files';
import type { Finding } from './finding';

const marks: Readonly<Record<Finding['kind'], string>> = { change: '', manual: 'by hand: ', note: 'note: ' };

/** A line for each finding, as compilers print them, and a summary. */
export function formatText(report: Report): string {
  const lines = report.files.flatMap(({ path, findings, unreadable }) => [
    ...(unreadable === undefined ? [] : [`${path}: not checked: ${unreadable}`]),
    ...findings.map(({ line, column, kind, message }) => `${path}:${line}:${column}: ${marks[kind]}${message}`),
  ]);
  return [...lines, ...(lines.length === 0 ? [] : ['']), ...summarize(report)].map((line) => `${line}\n`).join('');
}

function summarize(report: Report): readonly string[] {
  const changed = report.files.filter(({ findings }) => findings.some(({ kind }) => kind === 'change'));
  const changes = countFindings(report, 'change');
  const manual = countFindings(report, 'manual');
  const names = report.files.flatMap(({ findings }) => findings).filter(({ code }) => code === 'name').length;
  if (names === 0) return [`No step uses the action in ${plural(report.files.length, 'file')}.`];
  const done = changes === 1 ? 'was made' : 'were made';
  const verb = report.isWritten ? done : 'to make';
  const parts = [`${plural(changes, 'change')} ${verb} in ${plural(changed.length, 'file')}`];
  if (manual > 0) parts.push(`${manual} to make by hand`);
  const only = changes === names && manual === 0 ? ' Nothing but the name of the action changes.' : '';
  const next = report.isWritten || changes === 0 ? [] : ['Run again with --write to make them.'];
  return [`${parts.join(', ')}.${only}`, ...next];
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The same for programs. Offsets of edits are not part of it. */
export function formatJson(report: Report): string {
  const files = report.files.map(({ path, findings, unreadable }) => ({
    path,
    ...(unreadable !== undefined && { unreadable }),
    findings: findings.map(({ edit: _, ...finding }) => finding),
  }));
  const counts = {
    changes: countFindings(report, 'change'),
    manual: countFindings(report, 'manual'),
    notes: countFindings(report, 'note'),
  };
  return `${JSON.stringify({ target: report.target, written: report.isWritten, ...counts, files }, null, 2)}\n`;
}
