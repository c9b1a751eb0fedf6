import { Composer, Schema, type Document } from 'yaml';
import type { FindingReport } from '../findings/report/finding-report';
import type { Offsets } from '../findings/source-location';
import { limits } from '../../model/limits';
import { tokenize } from './tokenize';

// The schema is an object, not a name: otherwise a `%YAML 1.1` line would enable `yes` for true and merge keys.
const schema = new Schema({ schema: 'core', merge: false });
// `yaml` compares keys pairwise; indexDocument does it in linear time.
const options = { schema, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

type ErrorSource = number | readonly number[] | { readonly offset: number; readonly source?: string };

class TooManyErrors extends Error {}

export interface Composed {
  readonly documents: readonly Document.Parsed[];
  /** Offsets of maps their authors did not intend: a string containing `: `, which was reported. */
  readonly accidentalMaps: ReadonlySet<number>;
}

/** Parses the documents. Syntax errors are reported; the readable rest is returned. */
export function composeDocuments(text: string, report: FindingReport): Composed {
  const accidentalMaps = new Set<number>();
  const documents: Document.Parsed[] = [];
  const tokens = tokenize(text, report);
  if (!tokens) return { documents, accidentalMaps };
  try {
    for (const document of createComposer(report, accidentalMaps).compose(tokens, false, text.length))
      documents.push(document);
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
  }
  return { documents, accidentalMaps };
}

/**
 * `yaml` creates an Error with a stack trace for each syntax error, which takes seconds for a million wrong brackets.
 * Its error callback is an own property that is only marked private, so it is replaced: findings are reported
 * directly, and parsing stops when there are too many. A spec fails if an update changes this.
 */
function createComposer(report: FindingReport, accidentalMaps: Set<number>): Composer {
  let errors = 0;
  const onError = (source: ErrorSource, code: string, message: string, isWarning?: boolean) => {
    // indexDocument checks the tags.
    if (isWarning && code === 'TAG_RESOLVE_FAILED') return;
    errors += 1;
    const location = { range: errorRange(source), path: '' };
    const [start] = location.range;
    // This repeats the same error: such a map often starts on one line and continues on the next.
    if (code === 'MULTILINE_IMPLICIT_KEY' && accidentalMaps.has(start)) return;
    if (code === 'BLOCK_AS_IMPLICIT_KEY') accidentalMaps.add(start);
    report.add(isWarning ? 'yaml_warning' : 'yaml_syntax', location, `YAML: ${message}`);
    if (errors > limits.findings) throw new TooManyErrors();
  };
  return Object.assign(new Composer(options), { onError });
}

function errorRange(source: ErrorSource): Offsets {
  if (typeof source === 'number') return [source, source + 1];
  if ('offset' in source) return [source.offset, source.offset + (source.source?.length ?? 1)];
  const [start = 0, end = start + 1] = source;
  return [start, end];
}
