import type { FindingReport } from '../findings/report/finding-report';
import { limits } from '../../model/limits';

// YAML allows no control characters except tab, line feed, carriage return and next line.
const forbidden = /(?![\t\n\r\u0085])\p{Cc}|\p{Surrogate}|[\uFFFE\uFFFF]/gu;
const maxReported = 20;

export function isWithinSize(text: string): boolean {
  return text.length <= limits.textBytes && new TextEncoder().encode(text).length <= limits.textBytes;
}

export function checkCharacters(text: string, report: FindingReport): void {
  let count = 0;
  for (const match of text.matchAll(forbidden)) {
    count += 1;
    if (count > maxReported) return;
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const range = [match.index, match.index + match[0].length] as const;
    report.add('invalid_character', { range, path: '' }, `the character U+${code} is not allowed in a DAG file`);
  }
}
