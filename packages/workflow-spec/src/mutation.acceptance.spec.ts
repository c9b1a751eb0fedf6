import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parseDag } from './dag/document/parse-dag';
import type { TextRange } from './source/findings/finding';
import { hasErrors } from './source/findings/format-finding';
import { printDag } from './dag/print/print-dag';

const fixtures = path.resolve(__dirname, '../../../apps/workflow-api-e2e/src');
/** Valid fixtures: together they use every form of the language. */
const valid = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => readFileSync(path.join(fixtures, file), 'utf8'))
  .filter((text) => !hasErrors(parseDag(text).findings));

const punctuation = fc.stringMatching(/^[ \n\t:{}[\],&*!|>'"%@`#?$<-]{0,8}$/);
const noise = fc.oneof(fc.string({ maxLength: 12, unit: 'binary' }), punctuation);
const change = fc.record({
  start: fc.nat(),
  length: fc.nat(40),
  copyFrom: fc.option(fc.nat(), { nil: undefined }),
  noise,
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const mutated = fc
  .tuple(fc.constantFrom(...valid), fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([text, changes]) => changes.reduce(apply, text));

/** Replaces a piece of the text by noise or by a copy of another piece. */
function apply(text: string, { start, length, copyFrom, noise: inserted }: Change): string {
  const at = start % (text.length + 1);
  const from = copyFrom === undefined ? undefined : copyFrom % (text.length + 1);
  return (
    text.slice(0, at) + (from === undefined ? inserted : text.slice(from, from + length)) + text.slice(at + length)
  );
}

describe('a mutated file', () => {
  it('gives findings within its range and never throws', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const lines = text.split('\n');
        const bytes = Buffer.byteLength(text);
        const { dag, findings } = parseDag(text);

        expect(dag.name).not.toBe('');
        for (const finding of findings) {
          for (const range of [finding, ...(finding.fix ? [finding.fix] : [])]) expectInside(range, lines);
          expect(finding.startByte).toBeLessThanOrEqual(finding.endByte);
          expect(finding.endByte).toBeLessThanOrEqual(bytes);
        }
      }),
      { numRuns: 800 },
    );
  }, 60_000);

  it('gives the same result each time', () => {
    fc.assert(fc.property(mutated, (text) => expect(parseDag(text)).toEqual(parseDag(text))));
  }, 60_000);

  it('survives printing and parsing, if it can still be read', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const { dag, localDags, findings } = parseDag(text);
        fc.pre(!hasErrors(findings));
        const again = parseDag(printDag(dag, localDags));
        expect([again.dag, again.localDags]).toEqual([dag, localDags]);
      }),
      { numRuns: 200, maxSkipsPerRun: 100 },
    );
  }, 60_000);
});

function expectInside(range: TextRange, lines: readonly string[]): void {
  for (const [line, column] of [
    [range.line, range.column],
    [range.endLine, range.endColumn],
  ] as const) {
    expect(line).toBeGreaterThanOrEqual(1);
    expect(line).toBeLessThanOrEqual(lines.length);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
  }
  const isForward = range.endLine > range.line || (range.endLine === range.line && range.endColumn >= range.column);
  expect(isForward).toBe(true);
}
