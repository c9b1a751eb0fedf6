import type { RunJs } from '../../actions/call/run-js';
import type { StateStore } from '../../actions/call/state-store';
import type { BuildCache } from './build-cache';
import type { ChildRuns } from './child-runs';
import type { FileLocks } from '../../host/file-locks/file-locks';
import type { Permits } from '../../host/concurrency/permits';
import type { HostPassthrough } from '../../values/environment/host-environment';
import type { StepIsolation } from '../../model/ports/step-isolation';
import type { OrphanEnd } from '../../host/local-command/end-orphan';
import type { LocalCommandExecutor } from '../../host/local-command/step-command';
import type { LogLimits } from '../../model/ports/log-limits';
import type { SendMail } from '../../host/mail/mail';
import type { Clock } from '../../model/ports/clock';
import type { Logger } from '../../model/ports/logger';
import type { PackageStore } from '../../host/packages/package-store';
import type { OutputEvaluator } from '../../values/outputs/output-evaluator';
import type { RunStore } from '../../model/ports/run-store';
import type { SpecParser } from '../../model/ports/spec-parser';
import type { ReadProfileSecret } from '../../host/secrets/resolve-profile-secrets';
import type { ReadStoredSecret, SecretProviders } from '../../host/secrets/secret-source';
import type { ProcessIdentity } from '../../model/steps/step-outcome';
import type { Timer } from '../../model/ports/timer';
import type { ToolInstaller } from '../../host/tools/tool-installer';
import type { SendTrace } from '../../host/tracing/send-trace';

/** The execution of runs needs these of the process around it; they are the same for all runs. */
export interface RunPorts {
  readonly runs: RunStore;
  readonly parser: SpecParser;
  readonly children: ChildRuns;
  readonly outputEvaluator: OutputEvaluator;
  /** Executes the commands of steps on this host. */
  readonly commands: LocalCommandExecutor;
  /** Steps have the rights of the server when missing. */
  readonly isolation?: StepIsolation | undefined;
  readonly runJs: RunJs;
  /** Of this host, for all of its processes. */
  readonly locks?: FileLocks | undefined;
  /** Stores what the steps of builds have made; a build fails without it. */
  readonly buildCache?: BuildCache | undefined;
  /** The command-line tools of DAGs; a DAG with tools fails without it. */
  readonly tools?: ToolInstaller | undefined;
  /** Packaged actions; a step that calls one fails without it. */
  readonly packages?: PackageStore | undefined;
  /** The built program that executes `sqlite.*`, `duckdb.query` and `xlsx.*`. */
  readonly fileProgram?: string | undefined;
  /** Sends mail; by SMTP when missing. */
  readonly sendMail?: SendMail | undefined;
  /** Traces by OTLP when missing. */
  readonly sendTrace?: SendTrace | undefined;
  /** Entries that outlive a run. */
  readonly state: StateStore;
  /** Bounds the processes of the steps of all runs together. */
  readonly processPermits: Permits;
  /** The environment of the server; only an allow-list of it reaches steps. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  /** Stores of secrets besides the environment and files of the server. */
  readonly secretProviders?: SecretProviders | undefined;
  /** The server's own store of secrets. */
  readonly readStoredSecret?: ReadStoredSecret | undefined;
  /** The secrets of profiles; a run that needs one fails without it. */
  readonly readProfileSecret?: ReadProfileSecret | undefined;
  /** Variables that are passed through in addition to the allow-list. */
  readonly passthrough: HostPassthrough;
  /** Ends a process that an earlier owner left behind; by signals to its group when missing. */
  readonly endOrphan?: ((orphan: ProcessIdentity) => Promise<OrphanEnd>) | undefined;
  readonly dagsDir: string;
  /** Default: none. */
  readonly logLimits?: LogLimits | undefined;
  /** The shell of DAGs and steps that name none. Default: `$SHELL`, else `sh`. */
  readonly defaultShell?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}
