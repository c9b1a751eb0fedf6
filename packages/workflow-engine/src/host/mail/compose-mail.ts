import { resolveMailServer } from './mail-server-access';
import type { Mail } from './mail';
import type { RunMailText } from './compose-run-mail';
import type { DagRunStep } from '../../model/run-model/dag-run';
import type { Dag, MailServer } from '@weir/workflow-spec';
import { resolveField, type Scope } from '@weir/workflow-spec/values';
import { readMailLogs } from './mail-logs';
import { mailSender } from './mail-sender';

export interface MailContent {
  /** The key of the DAG's settings that name the recipients. */
  readonly key: 'infoMail' | 'errorMail' | 'waitMail';
  /** Whose logs go with it. */
  readonly steps: readonly DagRunStep[];
  readonly compose: (more: { readonly prefix: string; readonly note?: string | undefined }) => RunMailText;
}

export type ComposedMail =
  | { readonly server: MailServer; readonly mail: Mail; readonly problem?: undefined }
  | { readonly server?: undefined; readonly mail?: undefined; readonly problem: string };

const keyInFile = { infoMail: 'info_mail', errorMail: 'error_mail', waitMail: 'wait_mail' } as const;

/** A mail as the DAG wants it; a sentence when the DAG does not say where to. Throws `resolved_text_too_long`, and `mail_not_sent` without a sender. */
export async function composeMail(
  { dag, scope }: { readonly dag: Dag; readonly scope: Scope },
  { key, steps, compose }: MailContent,
): Promise<ComposedMail> {
  const settings = dag[key];
  if (settings === undefined) return { problem: `the DAG has no ${keyInFile[key]}` };
  if (dag.smtp === undefined) return { problem: 'the DAG has no smtp' };
  const resolve = (text: string): string => resolveField(text, scope);
  const logs = settings.attachLogs ? await readMailLogs(steps) : undefined;
  const server = resolveMailServer(dag.smtp, scope);
  const mail = {
    ...compose({ prefix: resolve(settings.prefix ?? ''), note: logs?.note }),
    from: mailSender(settings.from === undefined ? undefined : resolve(settings.from), server),
    to: settings.to.map(resolve),
    attachments: logs?.attachments ?? [],
  };
  return { server, mail };
}
