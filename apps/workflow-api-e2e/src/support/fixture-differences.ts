import { isDeepStrictEqual } from 'node:util';
import type { ExpectedFinding, Fixture } from './fixture';

/** A finding as the program prints it. */
interface FoundFinding {
  readonly code: string;
  readonly severity: ExpectedFinding['severity'];
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly fix?: { readonly text: string };
}

/** What the program prints for one file. */
export interface CheckedFixture {
  readonly file: string;
  readonly valid: boolean;
  readonly problem?: string;
  readonly findings: readonly FoundFinding[];
  readonly dag?: unknown;
  readonly localDags?: unknown;
}

/** Everything in which a file differs from what its head says, for people; empty when all is as announced. */
export function differences(fixture: Fixture, found: CheckedFixture): readonly string[] {
  if (found.problem !== undefined) return [`the file could not be read: ${found.problem}`];
  return [
    ...validityDifferences(fixture, found),
    ...findingDifferences(fixture, found),
    ...valueDifferences(fixture, found),
  ];
}

function validityDifferences({ findings }: Fixture, { valid }: CheckedFixture): readonly string[] {
  const shouldBe = !findings.some(({ severity }) => severity === 'error');
  return valid === shouldBe ? [] : [`should be ${shouldBe ? 'valid' : 'refused'}, and is not`];
}

/** Errors and warnings are all named, in order; of the others those that are named are there, in order. */
function findingDifferences({ findings: expected }: Fixture, found: CheckedFixture): readonly string[] {
  const isNamed = (finding: FoundFinding): boolean => expected.some((one) => matches(one, finding));
  const shown = found.findings.filter((finding) => finding.severity !== 'info' || isNamed(finding));
  const isSame = shown.length === expected.length && expected.every((one, index) => matchesAt(one, shown[index]));
  if (isSame) return [];
  const lines = found.findings.flatMap(formatFinding);
  return [
    `should have the findings\n${expected.map((one) => `  ${wantedLine(one)}`).join('\n') || '  none'}`,
    `and has\n${lines.map((line) => `  ${line}`).join('\n') || '  none'}`,
  ];
}

function matchesAt(expected: ExpectedFinding, finding: FoundFinding | undefined): boolean {
  return finding !== undefined && matches(expected, finding);
}

function matches(expected: ExpectedFinding, finding: FoundFinding): boolean {
  const { severity, code, location, phrase, fix } = expected;
  const isThere = location === formatStart(finding) || location === `${formatStart(finding)}-${formatEnd(finding)}`;
  const isMended = fix === undefined || fix === finding.fix?.text;
  return (
    severity === finding.severity && code === finding.code && isThere && isMended && finding.message.includes(phrase)
  );
}

const formatStart = ({ line, column }: FoundFinding): string => `${line}:${column}`;
const formatEnd = ({ endLine, endColumn }: FoundFinding): string => `${endLine}:${endColumn}`;

/** As it would be written into the head of the fixture. */
function formatFinding(finding: FoundFinding): readonly string[] {
  const { severity, code, message, fix } = finding;
  const line = `#: ${severity} ${code} ${formatStart(finding)}-${formatEnd(finding)} ${message.replaceAll(/\s+/g, ' ')}`;
  return fix === undefined ? [line] : [line, `#: fix ${fix.text}`];
}

function wantedLine({ severity, code, location, phrase, fix }: ExpectedFinding): string {
  return `#: ${severity} ${code} ${location} ${phrase}${fix === undefined ? '' : ` (fix ${fix})`}`;
}

function valueDifferences({ values }: Fixture, { dag, localDags }: CheckedFixture): readonly string[] {
  return values.flatMap(({ pointer, value }) => {
    const actual = valueAt({ dag, localDags }, pointer);
    if (isDeepStrictEqual(actual, value)) return [];
    const shown = actual === undefined ? 'absent' : JSON.stringify(actual);
    return [`should have ${pointer} = ${value === undefined ? 'absent' : JSON.stringify(value)}, and has ${shown}`];
  });
}

/** What a JSON pointer leads to; undefined when it leads nowhere. */
function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}
