import { parseDag } from '../../../dag/document/parse-dag';
import { artifactUri } from './artifact-uri';
import { fingerprints } from './fingerprints';
import type { SarifResult } from './sarif-log';
import { toSarif } from './to-sarif';

const text = 'name: nightly\nsteps:\n  - name: "grüße 🚀"\n    command: echo hi\n    rnu: echo\n';
const { findings } = parseDag(text);
const log = toSarif(
  [
    { file: 'dags/good.yaml', findings: [] },
    { file: 'dags/my file#1.yaml', findings },
  ],
  {
    version: '1.2.3',
  },
);
const [run] = log.runs;

function toResult(code: string): SarifResult {
  const found = run.results.find(({ ruleId }) => ruleId === code);
  if (!found) throw new Error(`no ${code}`);
  return found;
}

describe('toSarif', () => {
  it('contains what the SARIF schema requires of a log, a run and a tool', () => {
    expect(log.version).toBe('2.1.0');
    expect(log.$schema).toMatch(/sarif-schema-2\.1\.0\.json$/);
    expect(run.tool.driver).toMatchObject({ name: 'weir', version: '1.2.3' });
    expect(run.columnKind).toBe('utf16CodeUnits');
  });

  it('lists every file, including those without findings, with special characters encoded', () => {
    expect(run.artifacts.map(({ location }) => location.uri)).toEqual(['dags/good.yaml', 'dags/my%20file%231.yaml']);
  });

  it('lists a file once when it is given twice', () => {
    const twice = [
      { file: './a.yaml', findings },
      { file: 'a.yaml', findings },
    ];
    const [{ artifacts, results }] = toSarif(twice, { version: '1' }).runs;
    expect(artifacts).toHaveLength(1);
    expect(new Set(results.map(({ locations }) => locations[0].physicalLocation.artifactLocation.index))).toEqual(
      new Set([0]),
    );
  });

  it('has a result for each finding with its rule, file and location', () => {
    expect(run.results).toHaveLength(findings.length);
    expect(toResult('deprecated_key')).toMatchObject({
      level: 'warning',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'dags/my%20file%231.yaml', index: 1 },
            region: { startLine: 4, startColumn: 5, endLine: 4, endColumn: 12 },
          },
        },
      ],
    });
    for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  });

  it('reports UTF-8 byte offsets as well as UTF-16 columns', () => {
    const { byteOffset, byteLength } = toResult('deprecated_key').locations[0].physicalLocation.region;
    const bytes = new TextEncoder().encode(text).slice(byteOffset, byteOffset + byteLength);
    expect(new TextDecoder().decode(bytes)).toBe('command');
  });

  it('writes a fix as one replacement in the same file', () => {
    expect(toResult('deprecated_key').fixes).toEqual([
      {
        description: { text: expect.stringContaining('run') as string },
        artifactChanges: [
          {
            artifactLocation: { uri: 'dags/my%20file%231.yaml', index: 1 },
            replacements: [
              {
                deletedRegion: { startLine: 4, startColumn: 5, endLine: 4, endColumn: 12 },
                insertedContent: { text: 'run' },
              },
            ],
          },
        ],
      },
    ]);
  });

  it('explains each code once, with its default level', () => {
    const { rules } = run.tool.driver;
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    expect(rules.find(({ id }) => id === 'unknown_key')).toMatchObject({
      name: 'UnknownKey',
      shortDescription: { text: 'A key that the language does not have.' },
      defaultConfiguration: { level: 'error' },
    });
  });

  it('never turns text of a file into a link', () => {
    const { findings: hostile } = parseDag('"[see](https://example.org)": 1\nsteps: [echo]\n');
    const [first] = toSarif([{ file: 'a.yaml', findings: hostile }], { version: '1' }).runs[0].results;
    expect(first?.message.text).toContain('[see\\](https://example.org)');
  });
});

describe('fingerprints', () => {
  const bad = 'steps:\n  - name: a\n    rnu: echo\n  - name: b\n    run: echo\n';

  it('stay the same when a step is inserted before', () => {
    const moved = bad.replace('steps:\n', 'steps:\n  - name: first\n    run: echo\n');
    expect(fingerprints(parseDag(moved).findings)).toEqual(fingerprints(parseDag(bad).findings));
  });

  it('differ for findings with the same text', () => {
    const twice = parseDag('type: chain\nsteps:\n  - {run: a, rnu: b}\n  - {run: a, rnu: b}\n').findings;
    expect(new Set(fingerprints(twice)).size).toBe(2);
  });
});

describe('artifactUri', () => {
  it.each([
    ['./dags/a.yaml', 'dags/a.yaml'],
    ['/srv/dags/100%.yaml', 'file:///srv/dags/100%25.yaml'],
    ['a:b/ü.yaml', 'a%3Ab/%C3%BC.yaml'],
    ['half\ud800.yaml', 'half%EF%BF%BD.yaml'],
  ])('converts %j to %s', (file, uri) => {
    expect(artifactUri(file)).toBe(uri);
  });
});
