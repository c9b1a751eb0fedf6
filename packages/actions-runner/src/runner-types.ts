export type Variables = Readonly<Record<string, string>>;

/** Outputs by the id of the step, of the steps that ended before. Secrets are in the clear. */
export type OutputsOfSteps = Readonly<Record<string, Variables>>;

/** How steps ended, by their id, whether the job was to go on all the same or not. */
export type OutcomesOfSteps = Readonly<Record<string, StepResult['outcome']>>;

/**
 * Written out, or made of what earlier steps gave and how they ended, as `${{ steps.<id>.outputs.<name> }}` and
 * `${{ steps.<id>.outcome }}` would.
 */
export type Given = Variables | ((outputs: OutputsOfSteps, outcomes: OutcomesOfSteps) => Variables);

export type Condition = 'always()' | 'success()' | 'failure()';

interface StepSettings {
  /** Key of the step's outputs; without one they are seen in the result only. */
  readonly id?: string;
  readonly env?: Given;
  /** `success()` unless given. */
  readonly if?: Condition;
  /** A failure of the step leaves the job green. */
  readonly continueOnError?: boolean;
}

/** `uses: ./folder`. */
export interface ActionStep extends StepSettings {
  /** The folder with the `action.yml`. */
  readonly action: string;
  readonly with?: Given;
  /** What a workflow would name it by; a local action has neither. */
  readonly uses?: { readonly repository: string; readonly ref: string };
}

/** `run:`, without a shell: the program is started in the workspace with the step's environment. */
export interface ProgramStep extends StepSettings {
  readonly program: string;
  readonly args?: readonly string[];
}

/** Looks at the job as a step at this place would see it. A throw fails the whole run: it is the test's own. */
export interface InspectStep extends Pick<StepSettings, 'if'> {
  readonly inspect: (view: JobView) => void | Promise<void>;
}

export interface JobView {
  readonly env: Variables;
  readonly outputs: OutputsOfSteps;
  readonly workspace: string;
  readonly runnerTemp: string;
}

export type RunnerStep = ActionStep | ProgramStep | InspectStep;

export interface RunnerEvent {
  /** `push` unless given. */
  readonly name?: string;
  /** What `GITHUB_EVENT_PATH` holds. */
  readonly payload?: unknown;
  /** Context variables that differ: `{ GITHUB_REPOSITORY: 'octo/app' }`. */
  readonly context?: Variables;
}

export interface RunStepsOptions {
  readonly workspace: string;
  readonly steps: readonly RunnerStep[];
  /** Path of the node binary that the runner would bring along. */
  readonly node: string;
  /** Of the job. Besides these, PATH and what the runner sets, a step inherits nothing. */
  readonly env?: Variables;
  readonly event?: RunnerEvent;
  /** With `permissions: id-token: write` only: where OIDC tokens are fetched, and the bearer for it. */
  readonly idToken?: { readonly url: string; readonly token: string };
  /** Secrets of the repository: hidden from the first line on. */
  readonly secrets?: readonly string[];
  /** Debug logging, as `RUNNER_DEBUG=1`. */
  readonly debug?: boolean;
  /** Life time of each process in milliseconds; 60,000 unless given. */
  readonly deadlineMs?: number;
}

export interface Annotation {
  readonly level: 'notice' | 'warning' | 'error';
  /** Masked, as it is shown. */
  readonly message: string;
  readonly properties: Variables;
}

/** `::name key=value,key=value::data`, unescaped. */
export interface ParsedCommand {
  readonly name: string;
  readonly properties: Variables;
  readonly data: string;
}

/** What a step's command files held when its process had ended. */
export interface CommandFileBytes {
  readonly env: Buffer;
  readonly output: Buffer;
  readonly state: Buffer;
  readonly path: Buffer;
  readonly summary: Buffer;
}

export interface StepResult {
  readonly id: string | undefined;
  /** Place in the list of steps; a post has that of its main. */
  readonly index: number;
  readonly phase: 'main' | 'post';
  readonly outcome: 'success' | 'failure' | 'skipped';
  /** `null` where a signal ended the process, `undefined` where none was started. */
  readonly exitCode: number | null | undefined;
  readonly outlivedDeadline: boolean;
  readonly outputs: Variables;
  /** What the step added for later steps. */
  readonly env: Variables;
  readonly paths: readonly string[];
  readonly state: Variables;
  /** Masked. */
  readonly summary: string;
  readonly annotations: readonly Annotation[];
  /** Every command that the step gave, values in the clear. */
  readonly commands: readonly ParsedCommand[];
  /** As a reader of the job's log sees it, except that debug lines are always there. */
  readonly log: string;
  /** Both streams as they came, before any mask. */
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
  /** Mains in order. */
  readonly steps: readonly StepResult[];
  /** Posts in the order they ran: the last main's first. */
  readonly posts: readonly StepResult[];
  /** What the job's environment became. */
  readonly env: Variables;
  readonly paths: readonly string[];
  /** All logs after each other. */
  readonly log: string;
  /** Files below the workspace, the runner's temporary folder and the home folder that were not there before. */
  readonly leftovers: readonly LeftoverFile[];
}
