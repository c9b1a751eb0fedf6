import { formatFinding, toSarif, type Finding } from '@weir/workflow-spec';
import { checkFile, type CheckedFile, type SpecChecker } from './check-file';
import type { ValidateFormat } from '../shared/formats';

export interface ValidateOptions {
  readonly files: readonly string[];
  readonly format: ValidateFormat;
  /** Whether notices are shown too, such as references that are not replaced. */
  readonly showUnresolved: boolean;
  readonly specs: SpecChecker;
  readonly workingDirectory: string;
  readonly version: string;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/**
 * Checks DAG files. As text, notices and warnings of a good file go to standard error; for a bad one, so do a heading
 * and one line per error. When all files are good, one line with counts is printed. The other formats go to standard
 * output, for good files and for bad ones. Returns the exit code: 1 when a file is bad or cannot be read.
 */
export async function validateFiles(options: ValidateOptions): Promise<number> {
  const checked: CheckedFile[] = [];
  // Files are checked one after another: the findings of many files stay in memory, their specs do not.
  for (const file of options.files) checked.push(filterFindings(await checkFile(file, options), options));
  printAs[options.format](checked, options);
  return checked.every(({ valid }) => valid) ? 0 : 1;
}

const printAs: Readonly<Record<ValidateFormat, (files: readonly CheckedFile[], options: ValidateOptions) => void>> = {
  text: (files, { print, printError }) => {
    files.flatMap(textLines).forEach((line) => printError(line));
    if (files.every(({ valid }) => valid)) print(formatCounts(files));
  },
  json: (files, { print }) => print(JSON.stringify({ files })),
  sarif: (files, { print, version }) => print(JSON.stringify(toSarif(files.map(asFindings), { version }))),
};

function formatCounts(files: readonly CheckedFile[]): string {
  const dags = files.flatMap(({ dag, localDags = [] }) => [dag, ...localDags]).filter((dag) => dag !== undefined);
  const steps = dags.reduce((sum, dag) => sum + (dag.steps?.length ?? 0), 0);
  const warnings = files.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'warning').length;
  const counts = [count(files.length, 'file'), count(dags.length, 'DAG'), count(steps, 'step')];
  return `ok: ${[...counts, ...(warnings === 0 ? [] : [count(warnings, 'warning')])].join(', ')}`;
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

/** A log has entries for findings alone, so a file that could not be read gets one. */
function asFindings({ file, problem, findings }: CheckedFile) {
  return { file, findings: problem === undefined ? findings : [unreadable(problem)] };
}

function unreadable(message: string): Finding {
  const start = { line: 1, column: 1, endLine: 1, endColumn: 1, startByte: 0, endByte: 0 };
  return { code: 'file_unreadable', severity: 'error', path: '', message, ...start };
}

function filterFindings(checked: CheckedFile, { showUnresolved }: ValidateOptions): CheckedFile {
  if (showUnresolved) return checked;
  return { ...checked, findings: checked.findings.filter(({ severity }) => severity !== 'info') };
}

function textLines({ file, valid, problem, findings }: CheckedFile): readonly string[] {
  const heading = valid ? [] : [`Validation failed for ${file}`];
  if (problem !== undefined) return [...heading, `  - ${problem}`];
  const lines = findings.map((finding) =>
    finding.severity === 'error'
      ? `  - ${formatFinding(finding)}`
      : `${file}: ${finding.severity}: ${formatFinding(finding)}`,
  );
  return [...heading, ...lines];
}
