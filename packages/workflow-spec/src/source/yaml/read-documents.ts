import type { Document } from 'yaml';
import { createFindingReport, type FindingReport } from '../findings/report/finding-report';
import { limits } from '../../model/limits';
import { createPatternCheck } from '../text/pattern-check';
import { createSuggest } from '../text/suggest';
import { composeDocuments } from './compose-documents';
import { indexDocument } from './index-document';
import { rootValue, type YamlValue } from './yaml-value';

/** The location of findings about the whole text. */
export const textStart = { range: [0, 0], path: '' } as const;

/** The non-empty documents of a spec, within the limits. */
export interface ReadDocuments {
  readonly documents: readonly YamlValue[];
  readonly report: FindingReport;
}

/** A spec over the size limit yields only the finding. */
export function readDocuments(text: string): ReadDocuments {
  if (!isWithinSize(text)) {
    const report = createFindingReport('');
    report.add('text_too_large', textStart, `a file may be ${limits.textBytes} bytes long at most`);
    return { documents: [], report };
  }
  const report = createFindingReport(text);
  checkCharacters(text, report);
  const shared = { text, report, suggest: createSuggest(), checkPattern: createPatternCheck() };
  const composed = composeDocuments(text, report);
  const lastWithContent = composed.documents.findLastIndex((document) => !isEmpty(document));
  const documents = composed.documents.flatMap((document, position) => {
    if (isEmpty(document)) {
      if (position < lastWithContent) {
        const range = [document.range[0], document.range[0] + 1] as const;
        report.add('yaml_warning', { range, path: '' }, 'an empty document is ignored; remove its "---"');
      }
      return [];
    }
    const index = indexDocument(document, composed.accidentalMaps, report);
    return index ? [rootValue(document.contents, { ...shared, index })] : [];
  });
  return { documents, report };
}

// A trailing or repeated `---` is not a document.
function isEmpty({ contents }: Document.Parsed): boolean {
  return contents === null || ('value' in contents && contents.value === null);
}

// YAML allows no control characters except tab, line feed, carriage return and next line.
const forbidden = /(?![\t\n\r\u0085])\p{Cc}|\p{Surrogate}|[\uFFFE\uFFFF]/gu;

const maxReported = 20;

function isWithinSize(text: string): boolean {
  return text.length <= limits.textBytes && new TextEncoder().encode(text).length <= limits.textBytes;
}

function checkCharacters(text: string, report: FindingReport): void {
  let count = 0;
  for (const match of text.matchAll(forbidden)) {
    count += 1;
    if (count > maxReported) return;
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const range = [match.index, match.index + match[0].length] as const;
    report.add('invalid_character', { range, path: '' }, `the character U+${code} is not allowed in a DAG file`);
  }
}
