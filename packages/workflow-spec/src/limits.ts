/** What a file may cost before it is refused. Generous for people, small enough that a hostile text ends quickly. */
export const limits = {
  textBytes: 1_048_576,
  lexemes: 600_000,
  depth: 64,
  documents: 100,
  nodes: 250_000,
  /** Nodes that exist only because an alias repeats them. */
  aliasNodes: 10_000,
  keyLength: 255,
  findings: 1_000,
  /** Messages and paths of all findings together: a place deep in long keys has a path of many kilobytes. */
  findingCharacters: 262_144,
  /** Name comparisons for "did you mean" in one file. */
  suggestionComparisons: 50_000,
  steps: 10_000,
  dependencies: 100_000,
  /** Of one step. */
  stepDependencies: 1_000,
  labels: 1_000,
  /** Of a DAG, or of a step. */
  envEntries: 10_000,
  schedules: 100,
  cronLength: 256,
  params: 1_000,
  paramPatternLength: 1_000,
  dagNameLength: 40,
  stepNameBytes: 255,
  stepIdLength: 40,
  labelKeyLength: 63,
  labelValueLength: 255,
  /** One text, or one variable, after its references are replaced. */
  resolvedLength: 1_048_576,
} as const;
