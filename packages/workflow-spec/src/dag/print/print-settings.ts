import type { MailMessage, MailServer } from '../../model/mail';
import type { Schedule } from '../../model/schedule';
import { isEventTrigger, type Trigger } from '../../model/trigger';
import type { Secret } from '../../model/secret';
import { compact } from '../../model/compact';
import type { DagSettings } from '../../model/dag';
import { printEntries } from './print-entries';
import { printConditions, printRetry } from './print-policies';
import type { Printed } from './printed';

/** Prints every key except name, type, params, handler_on and steps. */
export function printSettings(settings: DagSettings): Printed {
  return {
    description: settings.description,
    group: settings.group,
    labels: settings.labels.length === 0 ? undefined : settings.labels,
    ...printEnvironment(settings),
    ...printExecution(settings),
    ...printScheduling(settings),
    ...printLifecycle(settings),
    ...printMail(settings),
    ...printStorage(settings),
    ...printIntegration(settings),
  };
}

function printEnvironment({ consts, env, dotenv, secrets }: DagSettings): Printed {
  return { consts: printEntries(consts), env: printEntries(env), dotenv, secrets: secrets?.map(printSecret) };
}

function printSecret(secret: Secret): Printed {
  if (secret.kind === 'ref') return { name: secret.name, ref: secret.ref };
  const { name, provider, key, options } = secret;
  return compact({ name, provider, key, options });
}

function printExecution(settings: DagSettings): Printed {
  return {
    working_dir: settings.workingDir,
    shell: settings.shell,
    container: settings.container,
    registry_auths: settings.registryAuths,
    ssh: settings.ssh,
    s3: settings.s3,
    redis: settings.redis,
    kubernetes: settings.kubernetes,
    llm: settings.llm,
    harness: settings.harness,
    harnesses: settings.harnesses,
    tools: settings.tools,
    worker_selector: settings.workerSelector,
  };
}

function printScheduling(settings: DagSettings): Printed {
  const { schedule, stopSchedule, restartSchedule, catchupWindowSec } = settings;
  const times = compact({
    start: printSchedules(schedule),
    stop: printSchedules(stopSchedule),
    restart: printSchedules(restartSchedule),
  });
  return {
    schedule: Object.keys(times).length === 0 ? undefined : times,
    triggers: settings.triggers?.map(printTrigger),
    skip_if_successful: settings.skipIfSuccessful,
    catchup_window: catchupWindowSec === undefined ? undefined : `${catchupWindowSec}s`,
    overlap_policy: settings.overlapPolicy,
    queue: settings.queue,
    max_active_runs: settings.maxActiveRuns,
  };
}

function printSchedules(schedules: readonly Schedule[] = []): unknown {
  if (schedules.length === 0) return undefined;
  return schedules.map((each) => {
    const { profile } = each;
    if (each.kind === 'at') return compact({ kind: 'at', at: each.at, profile });
    const { expression, calendar, businessDays } = each;
    if (calendar === undefined && profile === undefined) return expression;
    return compact({ expression, calendar, business_days: businessDays, profile });
  });
}

function printTrigger(trigger: Trigger): unknown {
  if (isEventTrigger(trigger)) return trigger;
  const { files, quietSec, batch, s3 } = trigger;
  return compact({ files, quiet: `${quietSec}s`, batch, s3 });
}

function printLifecycle(settings: DagSettings): Printed {
  return {
    max_active_steps: settings.maxActiveSteps === 0 ? undefined : settings.maxActiveSteps,
    timeout_sec: settings.timeoutSec,
    delay_sec: settings.delaySec,
    restart_wait_sec: settings.restartWaitSec,
    max_clean_up_time_sec: settings.maxCleanUpTimeSec,
    retry_policy: printRetry(settings.retryPolicy),
    preconditions: printConditions(settings.preconditions),
  };
}

function printMail({ mailOn, smtp, mailAccounts, errorMail, infoMail, waitMail }: DagSettings): Printed {
  return {
    mail_on: mailOn,
    smtp: smtp && printServer(smtp),
    mail_accounts: mailAccounts,
    error_mail: printMessage(errorMail),
    info_mail: printMessage(infoMail),
    wait_mail: printMessage(waitMail),
  };
}

function printServer({ host, port, username, password, tlsCertSha256 }: MailServer): Printed {
  return compact({ host, port, username, password, tls_cert_sha256: tlsCertSha256 });
}

function printMessage(message: MailMessage | undefined): Printed | undefined {
  return (
    message && compact({ from: message.from, to: message.to, prefix: message.prefix, attach_logs: message.attachLogs })
  );
}

function printStorage(settings: DagSettings): Printed {
  return {
    log_dir: settings.logDir,
    log_output: settings.logOutput,
    max_output_size: settings.maxOutputSize,
    artifacts: settings.artifacts,
    hist_retention_days: settings.histRetentionDays,
    hist_retention_runs: settings.histRetentionRuns,
  };
}

function printIntegration({ runConfig, webhook, otel }: DagSettings): Printed {
  return {
    run_config: runConfig && {
      disable_param_edit: runConfig.disableParamEdit,
      disable_run_id_edit: runConfig.disableRunIdEdit,
    },
    webhook: webhook && { forward_headers: webhook.forwardHeaders },
    otel,
  };
}
