/** The subset of SARIF 2.1.0 that findings need. */
export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly [SarifRun];
}

export interface SarifRun {
  readonly tool: { readonly driver: SarifDriver };
  readonly columnKind: 'utf16CodeUnits';
  readonly artifacts: readonly SarifArtifact[];
  readonly results: readonly SarifResult[];
}

export interface SarifDriver {
  readonly name: string;
  readonly version: string;
  readonly rules: readonly SarifRule[];
}

export interface SarifRule {
  readonly id: string;
  readonly name: string;
  readonly shortDescription: SarifText;
  readonly help: SarifText & { readonly markdown: string };
  readonly defaultConfiguration: { readonly level: SarifLevel };
}

export interface SarifArtifact {
  readonly location: { readonly uri: string };
  readonly sourceLanguage: 'yaml';
}

export interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: SarifLevel;
  readonly message: SarifText;
  readonly locations: readonly [{ readonly physicalLocation: SarifPhysicalLocation }];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly fixes?: readonly SarifFix[];
}

export interface SarifPhysicalLocation {
  readonly artifactLocation: SarifArtifactLocation;
  readonly region: SarifRegion & { readonly byteOffset: number; readonly byteLength: number };
}

export interface SarifArtifactLocation {
  readonly uri: string;
  readonly index: number;
}

/** Lines and columns count from 1; the end is exclusive. */
export interface SarifRegion {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface SarifFix {
  readonly description: SarifText;
  readonly artifactChanges: readonly [
    {
      readonly artifactLocation: SarifArtifactLocation;
      readonly replacements: readonly [{ readonly deletedRegion: SarifRegion; readonly insertedContent: SarifText }];
    },
  ];
}

export interface SarifText {
  readonly text: string;
}

export type SarifLevel = 'error' | 'warning' | 'note';
