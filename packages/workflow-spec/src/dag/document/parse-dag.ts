import type { BaseConfig } from './base-config';
import { mergeBaseConfigs } from './merge-base-config';
import type { Dag } from '../../model/dag';
import type { Finding } from '../../source/findings/finding';
import { quote } from '../../source/text/quote';
import { emptyDag, readDag } from './read-dag';
import { checkReferences } from '../references/check-references';
import { createReferenceReport } from '../references/reference-report';
import { dagNameProblem } from '../../keys/dag-keys/dag-name';
import { readDocuments, textStart } from '../../source/yaml/read-documents';
import { report as reportAt, type YamlValue } from '../../source/yaml/yaml-value';

export interface ParseOptions {
  /** The name of a DAG that does not name itself, usually the file name without its extension. Default: `dag`. */
  readonly name?: string;
  /** Whether `name` also replaces the name given in the file. Default: false. */
  readonly overrideName?: boolean;
  /** The base configurations of every DAG of the file: the server's, then the workspace's. */
  readonly base?: BaseConfig | readonly BaseConfig[];
}

export interface ParseResult {
  /** The part that could be read, or a DAG with only a name when nothing could. It can run when no finding is an error. */
  readonly dag: Dag;
  /** The DAGs of the further documents. */
  readonly localDags: readonly Dag[];
  /** Findings are in the order of the text. */
  readonly findings: readonly Finding[];
}

/**
 * Parses a DAG spec. Never throws, for any spec: all its errors are in `findings`. A spec of more than 1 MiB, or one
 * that would cost far more than its length suggests, is refused with a finding.
 */
export function parseDag(text: string, options: ParseOptions = {}): ParseResult {
  const name = options.name ?? 'dag';
  const base = mergeBaseConfigs([options.base ?? []].flat());
  const { documents, report } = readDocuments(text);
  const [first, ...others] = documents;
  if (!first && report.list().length === 0) report.add('empty_document', textStart, 'the text contains no DAG');
  const dag = first ? readFirst(first, base, { name, overrideName: options.overrideName ?? false }) : emptyDag(name);
  const localDags = readLocalDags(others, base, dag.name);
  const references = createReferenceReport();
  [dag, ...localDags].forEach((each, index) => {
    const document = documents[index];
    if (document) checkReferences(document, each, references);
  });
  return { dag, localDags, findings: report.list() };
}

function readFirst(
  document: YamlValue,
  base: BaseConfig,
  { name, overrideName }: Required<Pick<ParseOptions, 'name' | 'overrideName'>>,
): Dag {
  const chooseName = (own: { readonly value: string | undefined } | undefined) => {
    const problem = dagNameProblem(name);
    const isUsed = overrideName || !own;
    if (isUsed && problem !== undefined) document.context.report.add('invalid_dag_name', textStart, problem);
    return isUsed ? name : (own.value ?? name);
  };
  return readDag(document, { base, chooseName });
}

function readLocalDags(documents: readonly YamlValue[], base: BaseConfig, rootName: string): readonly Dag[] {
  const names = new Set([rootName]);
  return documents.map((document, index) =>
    readDag(document, {
      base,
      chooseName: (own) => {
        if (!own) reportAt(document, 'missing_dag_name', 'a further document must have a name in multi-DAG file');
        const name = own?.value ?? `local_${index + 1}`;
        if (own?.value !== undefined && names.has(name)) {
          reportAt(own.source, 'duplicate_dag_name', `duplicate DAG name ${quote(name)} in one file`);
        }
        names.add(name);
        return name;
      },
    }),
  );
}
