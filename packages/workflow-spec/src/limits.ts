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
  consts: 1_000,
  dotenvFiles: 100,
  secrets: 1_000,
  schedules: 100,
  cronLength: 256,
  queueNameLength: 255,
  mailRecipients: 100,
  forwardedHeaders: 100,
  /** Bytes of captured output of one step. */
  outputBytes: 1_073_741_824,
  /** Of one step. */
  outputs: 1_000,
  /** Of one step, in files and globs. */
  stepFiles: 1_000,
  /** A JSON Schema in a file, written as JSON. */
  inlineSchemaLength: 65_536,
  params: 1_000,
  dagNameLength: 40,
  stepNameBytes: 255,
  stepIdLength: 40,
  labelKeyLength: 63,
  labelValueLength: 255,
  /** Preconditions of a DAG, or of a step. */
  conditions: 100,
  exitCodes: 256,
  /** Texts looked for in the output of one step. */
  outputPatterns: 100,
  /** A regular expression, and the parts it has once its repetitions are written out. */
  patternLength: 1_000,
  patternSize: 5_000,
  /** The parts of all regular expressions of a file. */
  patternSizes: 500_000,
  /** Ten years: no wait or time limit of a DAG is longer. */
  durationSec: 315_360_000,
  approvalInputs: 100,
  /** The settings for all steps, as JSON: each step repeats them. */
  stepDefaultsLength: 16_384,
  /** Entries of one list or map in the settings of an action or a container. */
  settingEntries: 10_000,
  /** Of parallel, or of foreach. */
  items: 1_000,
  concurrent: 1_000,
  collected: 100,
  customActions: 200,
  /** Values and characters that all calls of custom actions make, and schemas they are checked by, in one document. */
  customActionCost: 20_000_000,
  /** Fields of the form of a human task, and choices of one field. */
  formFields: 100,
  formChoices: 1_000,
  /** One text, or one variable, after its references are replaced. */
  resolvedLength: 1_048_576,
} as const;
