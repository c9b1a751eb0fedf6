import { Composer, Schema, type Document } from 'yaml';
import type { FindingReport } from '../findings/finding-report';
import type { Offsets } from '../findings/source-location';
import { limits } from '../limits';
import { tokenize } from './tokenize';

// A schema value, not a name: a `%YAML 1.1` line then cannot bring back `yes` for true, or merge keys.
const schema = new Schema({ schema: 'core', merge: false });
// `yaml` compares keys pairwise; indexDocument does it in linear time.
const options = { schema, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

type ErrorSource = number | readonly number[] | { readonly offset: number; readonly source?: string };

class TooManyErrors extends Error {}

/** What a text was composed to. */
export interface Composed {
  readonly documents: readonly Document.Parsed[];
  /** Where maps begin that are none to their author: a text with a `: ` in it, which has been reported. */
  readonly accidentalMaps: ReadonlySet<number>;
}

/** The documents of a text. Syntax errors are reported and what is around them is still returned. */
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
 * `yaml` makes an Error with a stack trace for each mistake, which takes seconds for a text of a million wrong
 * brackets. Its error callback is an own property that is only marked private, so it is replaced: findings are made
 * directly, and composing ends when there are more than anybody reads. A spec fails if an update changes this.
 */
function createComposer(report: FindingReport, accidentalMaps: Set<number>): Composer {
  let errors = 0;
  const onError = (source: ErrorSource, code: string, message: string, isWarning?: boolean) => {
    // Tags are judged by indexDocument.
    if (isWarning && code === 'TAG_RESOLVE_FAILED') return;
    errors += 1;
    const location = { range: errorRange(source), path: '' };
    const [start] = location.range;
    // The same mistake once more: such a map often begins on one line and goes on in the next.
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
