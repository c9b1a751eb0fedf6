import type { Document } from 'yaml';
import type { Dag } from './dag';
import type { Finding } from './finding';
import { createFindingReport, type FindingReport } from './finding-report';
import { limits } from './limits';
import { quote } from './quote';
import { emptyDag, readDag } from './read-dag';
import { createSuggest } from './suggest';
import { dagNameProblem } from './values/dag-name';
import { checkCharacters, isWithinSize } from './yaml/check-text';
import { composeDocuments } from './yaml/compose-documents';
import { indexDocument } from './yaml/index-document';
import { report as reportAt, rootValue, type YamlValue } from './yaml/yaml-value';

export interface ParseOptions {
  /** The name of a DAG that has none of its own, usually the file name without extension. Default `dag`. */
  readonly name?: string;
  /** Whether `name` also replaces the name that stands in the file. Default false. */
  readonly overrideName?: boolean;
}

export interface ParseResult {
  /** What could be read; a name alone when nothing could. It may run when no finding is an error. */
  readonly dag: Dag;
  /** The DAGs of the documents after the first. */
  readonly localDags: readonly Dag[];
  /** Everything there is to say about the text, in its order. */
  readonly findings: readonly Finding[];
}

const start = { range: [0, 0], path: '' } as const;

/**
 * Reads a DAG file. Never throws, whatever the text: everything wrong with it is in `findings`. A text of more than
 * 1 MiB, or one that would cost much more than it is long, is refused with a finding.
 */
export function parseDag(text: string, options: ParseOptions = {}): ParseResult {
  const name = options.name ?? 'dag';
  if (!isWithinSize(text)) {
    const report = createFindingReport('');
    report.add('text_too_large', start, `a DAG file may be ${limits.textBytes} bytes long at most`);
    return { dag: emptyDag(name), localDags: [], findings: report.list() };
  }
  const report = createFindingReport(text);
  checkCharacters(text, report);
  const [first, ...others] = readDocuments(text, report);
  if (!first && report.list().length === 0) report.add('empty_document', start, 'the text holds no DAG');
  const dag = first ? readFirst(first, name, options.overrideName ?? false) : emptyDag(name);
  const localDags = readLocalDags(others, dag.name);
  return { dag, localDags, findings: report.list() };
}

function readDocuments(text: string, report: FindingReport): readonly YamlValue[] {
  const suggest = createSuggest();
  return composeDocuments(text, report).flatMap((document) => {
    if (isEmpty(document)) return [];
    const index = indexDocument(document, report);
    return index ? [rootValue(document.contents, { report, suggest, index })] : [];
  });
}

// `---` at the end of a file, or twice in a row, is no DAG.
function isEmpty({ contents }: Document.Parsed): boolean {
  return contents === null || ('value' in contents && contents.value === null);
}

function readFirst(document: YamlValue, name: string, overrideName: boolean): Dag {
  return readDag(document, (own) => {
    const problem = dagNameProblem(name);
    const isUsed = overrideName || !own;
    if (isUsed && problem !== undefined) document.context.report.add('invalid_dag_name', start, problem);
    return isUsed ? name : (own.value ?? name);
  });
}

function readLocalDags(documents: readonly YamlValue[], rootName: string): readonly Dag[] {
  const names = new Set([rootName]);
  return documents.map((document, index) =>
    readDag(document, (own) => {
      if (!own) reportAt(document, 'missing_dag_name', 'a further document must have a name in multi-DAG file');
      const name = own?.value ?? `local_${index + 1}`;
      if (own?.value !== undefined && names.has(name)) {
        reportAt(own.source, 'duplicate_dag_name', `duplicate DAG name ${quote(name)} in one file`);
      }
      names.add(name);
      return name;
    }),
  );
}
