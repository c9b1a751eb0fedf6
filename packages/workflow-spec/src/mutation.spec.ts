import fc from 'fast-check';
import { parseDag } from './parse-dag';

const valid = `# A file with most forms in it.
name: report
labels: [team=data, nightly]
params:
  - region=eu
  - {name: count, type: integer, default: 3, minimum: 1}
env: &env
  - HOME_DIR: /srv
  - "OUT=\${HOME_DIR}/out"
schedule:
  start: ["0 3 * * *", {kind: at, at: "2027-01-01T09:00:00Z"}]
shell: bash -eu
steps:
  - id: fetch
    run: |
      ./fetch "\${params.region}"
      echo 'done'
  - name: build it
    run: [make, "make check"]
    depends: [fetch]
    env: *env
  - echo "naïve 😀"
---
name: child
type: chain
steps:
  - echo 1
  - [echo 2, echo 3]
  - {run: echo 4, with: {shell: sh}}
`;

const slice = fc.tuple(fc.nat(valid.length), fc.nat(40));
const noise = fc.oneof(
  fc.string({ maxLength: 12, unit: 'binary' }),
  fc.stringMatching(/^[ \n\t:{}[\],&*!|>'"%@`#?<-]{0,8}$/),
  slice.map(([start, length]) => valid.slice(start, start + length)),
);
const mutation = fc.record({ slice, noise });

function apply(text: string, { slice: [start, length], noise: inserted }: { slice: [number, number]; noise: string }) {
  return text.slice(0, start) + inserted + text.slice(start + length);
}

describe('a mutated file', () => {
  it('is valid before it is mutated', () => {
    const { findings, localDags } = parseDag(valid);
    expect([findings, localDags.length]).toEqual([[], 1]);
  });

  it('gives findings inside its own range and never an exception', () => {
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        const text = mutations.reduce(apply, valid);
        const lines = text.split('\n');
        const { dag, findings } = parseDag(text);

        expect(dag.name).not.toBe('');
        for (const finding of findings) {
          for (const [line, column] of [
            [finding.line, finding.column],
            [finding.endLine, finding.endColumn],
          ] as const) {
            expect(line).toBeGreaterThanOrEqual(1);
            expect(line).toBeLessThanOrEqual(lines.length);
            expect(column).toBeGreaterThanOrEqual(1);
            expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
          }
          const isForward =
            finding.endLine > finding.line || (finding.endLine === finding.line && finding.endColumn >= finding.column);
          expect(isForward).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives the same answer each time', () => {
    fc.assert(
      fc.property(mutation, (change) => {
        const text = apply(valid, change);
        expect(parseDag(text)).toEqual(parseDag(text));
      }),
    );
  });
});
