/** Limits on what a file may cost: generous for authors, low enough that a hostile text fails fast. */
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
  /** Messages and paths of all findings together: a path of deep long keys takes many kilobytes. */
  findingCharacters: 262_144,
  /** Name comparisons for "did you mean" in one file. */
  suggestionComparisons: 50_000,
  steps: 10_000,
  dependencies: 100_000,
  /** The limit is per step. */
  stepDependencies: 1_000,
  labels: 1_000,
  /** The limit is per DAG or step. */
  envEntries: 10_000,
  consts: 1_000,
  dotenvFiles: 100,
  secrets: 1_000,
  schedules: 100,
  cronLength: 256,
  /** Triggers of a DAG. */
  triggers: 20,
  fileGlobLength: 1_024,
  /** The type and the source that a trigger names. */
  eventNameLength: 255,
  eventFilterLength: 2_048,
  queueNameLength: 255,
  mailRecipients: 100,
  forwardedHeaders: 100,
  /** Bytes of captured output per step. */
  outputBytes: 16_777_216,
  /** The limit is per step. */
  outputs: 1_000,
  /** Command-line tools of a DAG. */
  tools: 50,
  /** Locks of packaged actions of a DAG. */
  packagedActions: 100,
  /** Harnesses of a DAG. */
  harnesses: 100,
  /** Files that a step of a build reads. */
  inputFiles: 1_000,
  /** Files and globs per step. */
  stepFiles: 1_000,
  /** A JSON Schema in a file, serialized as JSON. */
  inlineSchemaLength: 65_536,
  params: 1_000,
  dagNameLength: 40,
  stepNameBytes: 255,
  stepIdLength: 40,
  labelKeyLength: 63,
  labelValueLength: 255,
  /** The limit is per DAG or step. */
  conditions: 100,
  exitCodes: 256,
  /** Patterns of `continue_on.output` per step. */
  outputPatterns: 100,
  /** Length of a regular expression, and the number of its parts with repetitions expanded. */
  patternLength: 1_000,
  patternSize: 5_000,
  /** The parts of all regular expressions of a file. */
  patternSizes: 500_000,
  /** Ten years, the longest wait or time limit. */
  durationSec: 315_360_000,
  approvalInputs: 100,
  /** `defaults` as JSON: every step copies them. */
  stepDefaultsLength: 16_384,
  /** Entries of a list or map in the settings of an action or a container. */
  settingEntries: 10_000,
  /** Items of `parallel` or `foreach`. */
  items: 1_000,
  concurrent: 1_000,
  collected: 100,
  /** Tasks of an agent. */
  agentTasks: 100,
  /** Steps of an agent: models take a limited number of tools. */
  agentSteps: 100,
  customActions: 200,
  /** Values, characters and schema checks of all calls of custom actions in one document. */
  customActionCost: 20_000_000,
  /** Fields of the form of a human task, and choices of one field. */
  formFields: 100,
  formChoices: 1_000,
  /** Characters of a string or variable after its references are replaced. */
  resolvedLength: 1_048_576,
} as const;
