import type { Finding, TextRange } from '../finding';
import { artifactUri } from './artifact-uri';
import { fingerprints } from './fingerprints';
import { toRule, sarifLevels } from './sarif-rule';
import type { SarifArtifactLocation, SarifFix, SarifLog, SarifRegion, SarifResult } from './sarif-log';

export interface FileFindings {
  /** Path with `/` as separator, preferably relative to the root of the repository. */
  readonly file: string;
  readonly findings: readonly Finding[];
}

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/**
 * Returns the findings as a SARIF 2.1.0 log, for code review and editors. Lists all files, including those without
 * findings, and the rules of the codes found.
 */
export function toSarif(files: readonly FileFindings[], tool: { readonly version: string }): SarifLog {
  const rules = collectRules(files);
  // A file that is given twice is one artifact.
  const artifacts = new Map([...new Set(files.map(({ file }) => artifactUri(file)))].map((uri, index) => [uri, index]));
  return {
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'weir', version: tool.version, rules: [...rules.values()].map(({ rule }) => rule) } },
        columnKind: 'utf16CodeUnits',
        artifacts: [...artifacts.keys()].map((uri) => ({ location: { uri }, sourceLanguage: 'yaml' })),
        results: files.flatMap((checked) => toResults(checked, { artifacts, rules })),
      },
    ],
  };
}

type Rules = ReadonlyMap<string, { readonly rule: ReturnType<typeof toRule>; readonly index: number }>;

function collectRules(files: readonly FileFindings[]): Rules {
  const byCode = new Map(files.flatMap(({ findings }) => findings.map((finding) => [finding.code, finding] as const)));
  const codes = [...byCode].sort(([left], [right]) => (left < right ? -1 : 1));
  return new Map(codes.map(([code, finding], index) => [code, { rule: toRule(finding), index }]));
}

function toResults(
  { file, findings }: FileFindings,
  { artifacts, rules }: { readonly artifacts: ReadonlyMap<string, number>; readonly rules: Rules },
): readonly SarifResult[] {
  const uri = artifactUri(file);
  const artifactLocation = { uri, index: artifacts.get(uri) ?? -1 };
  const known = fingerprints(findings);
  return findings.map((finding, at) => ({
    ruleId: finding.code,
    ruleIndex: rules.get(finding.code)?.index ?? -1,
    level: sarifLevels[finding.severity],
    message: { text: escapeLinks(finding.message) },
    locations: [{ physicalLocation: { artifactLocation, region: byteRegion(finding) } }],
    partialFingerprints: { 'weirFinding/v1': known[at] ?? '' },
    ...toFixes(finding, artifactLocation),
  }));
}

// SARIF reads `[text](target)` as a link, and messages quote the text of authors.
function escapeLinks(message: string): string {
  return message.replaceAll('](', '\\](');
}

function byteRegion(finding: Finding): SarifRegion & { readonly byteOffset: number; readonly byteLength: number } {
  const { startByte, endByte } = finding;
  return { ...region(finding), byteOffset: startByte, byteLength: endByte - startByte };
}

function region({ line, column, endLine, endColumn }: TextRange): SarifRegion {
  return { startLine: line, startColumn: column, endLine, endColumn };
}

function toFixes({ fix }: Finding, artifactLocation: SarifArtifactLocation): { readonly fixes?: readonly SarifFix[] } {
  if (!fix) return {};
  const replacement = { deletedRegion: region(fix), insertedContent: { text: fix.text } };
  return {
    fixes: [{ description: { text: fix.title }, artifactChanges: [{ artifactLocation, replacements: [replacement] }] }],
  };
}
