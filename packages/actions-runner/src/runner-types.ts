export type Variables = Readonly<Record<string, string>>;

/** Outputs of finished steps by step id. Secrets are unmasked. */
export type StepOutputs = Readonly<Record<string, Variables>>;

/** Outcomes of finished steps by step id, before `continue-on-error` is applied. */
export type StepOutcomes = Readonly<Record<string, StepResult['outcome']>>;

/**
 * Constant values, or a function of earlier steps in place of `${{ steps.<id>.outputs.<name> }}` and
 * `${{ steps.<id>.outcome }}`.
 */
export type StepValues = Variables | ((outputs: StepOutputs, outcomes: StepOutcomes) => Variables);

export type Condition = 'always()' | 'success()' | 'failure()';

interface StepSettings {
  /** Without an id, later steps cannot read the outputs. */
  readonly id?: string;
  readonly env?: StepValues;
  /** `success()` unless given. */
  readonly if?: Condition;
  /** `continue-on-error`. */
  readonly continueOnError?: boolean;
}

/** `uses: ./folder`. */
export interface ActionStep extends StepSettings {
  /** The folder with the `action.yml`. */
  readonly action: string;
  readonly with?: StepValues;
  /** The reference in the workflow; a local action has none. */
  readonly uses?: { readonly repository: string; readonly ref: string };
}

/** `run:` without a shell: starts the program in the workspace with the environment of the step. */
export interface ProgramStep extends StepSettings {
  readonly program: string;
  readonly args?: readonly string[];
}

/** Calls back with the job as a step at this position would see it. An exception rejects the run. */
export interface InspectStep extends Pick<StepSettings, 'if'> {
  readonly inspect: (view: JobView) => void | Promise<void>;
}

export interface JobView {
  readonly env: Variables;
  readonly outputs: StepOutputs;
  readonly workspace: string;
  readonly runnerTemp: string;
}

export type RunnerStep = ActionStep | ProgramStep | InspectStep;

export interface RunnerEvent {
  /** `push` unless given. */
  readonly name?: string;
  /** The content of `GITHUB_EVENT_PATH`. */
  readonly payload?: unknown;
  /** Overrides context variables: `{ GITHUB_REPOSITORY: 'octo/app' }`. */
  readonly context?: Variables;
}

export interface RunStepsOptions {
  readonly workspace: string;
  readonly steps: readonly RunnerStep[];
  /** Path of the Node.js binary that runs actions. */
  readonly node: string;
  /** The job's variables. Steps inherit only these, PATH and the variables of the runner. */
  readonly env?: Variables;
  readonly event?: RunnerEvent;
  /** The URL and bearer token for OIDC requests, for jobs with `id-token: write`. */
  readonly idToken?: { readonly url: string; readonly token: string };
  /** Secrets of the repository, masked from the start. */
  readonly secrets?: readonly string[];
  /** Debug logging, as `RUNNER_DEBUG=1`. */
  readonly debug?: boolean;
  /** The time limit of each process in milliseconds. Default 60,000. */
  readonly deadlineMs?: number;
}

export interface Annotation {
  readonly level: 'notice' | 'warning' | 'error';
  /** Masked. */
  readonly message: string;
  readonly properties: Variables;
}

/** `::name key=value,key=value::data`, unescaped. */
export interface ParsedCommand {
  readonly name: string;
  readonly properties: Variables;
  readonly data: string;
}

/** The command files of a step after its process ended. */
export interface CommandFileBytes {
  readonly env: Buffer;
  readonly output: Buffer;
  readonly state: Buffer;
  readonly path: Buffer;
  readonly summary: Buffer;
}

export interface StepResult {
  readonly id: string | undefined;
  /** Index in the list of steps; a post step has that of its main step. */
  readonly index: number;
  readonly phase: 'main' | 'post';
  readonly outcome: 'success' | 'failure' | 'skipped';
  /** `null` if a signal ended the process, `undefined` if none was started. */
  readonly exitCode: number | null | undefined;
  readonly timedOut: boolean;
  readonly outputs: Variables;
  /** Variables for later steps. */
  readonly env: Variables;
  readonly paths: readonly string[];
  readonly state: Variables;
  /** Masked. */
  readonly summary: string;
  readonly annotations: readonly Annotation[];
  /** Every workflow command of the step, unmasked. */
  readonly commands: readonly ParsedCommand[];
  /** The masked log, always with debug lines. */
  readonly log: string;
  /** Both streams, unmasked. */
  readonly raw: Buffer;
  readonly files: CommandFileBytes;
  readonly durationMs: number;
}

export interface LeftoverFile {
  readonly path: string;
  readonly bytes: Buffer;
}

export interface RunnerResult {
  readonly outcome: 'success' | 'failure';
  readonly steps: readonly StepResult[];
  /** The results in execution order: the post step of the last action first. */
  readonly posts: readonly StepResult[];
  /** The environment of the job at the end. */
  readonly env: Variables;
  readonly paths: readonly string[];
  /** All logs, concatenated. */
  readonly log: string;
  /** New and changed files in the workspace, the temporary folder and the home folder. */
  readonly leftovers: readonly LeftoverFile[];
}
