import path from 'node:path';
import { nodeStatus } from '../../model/statuses/node-status';
import { readLogTail } from '../logs/log-files';
import type { MailAttachment } from './mail';
import type { DagRunStep } from '../../model/run-model/dag-run';

type LoggedStep = Pick<DagRunStep, 'status' | 'stdoutFile' | 'stderrFile'>;

export interface MailLogs {
  readonly attachments: readonly MailAttachment[];
  /** Tells the reader what is missing; undefined when nothing is. */
  readonly note: string | undefined;
}

const maxFileBytes = 1024 * 1024;
const maxTotalBytes = 10 * maxFileBytes;
const maxFiles = 100;

/**
 * The logs of the steps, those of failed ones first: the last megabyte of each, ten of all. Logs that hold
 * nothing, or are not there, are left out.
 */
export async function readMailLogs(steps: readonly LoggedStep[]): Promise<MailLogs> {
  const attachments: MailAttachment[] = [];
  let remaining = maxTotalBytes;
  for (const file of listLogFiles(steps)) {
    const isFull = remaining <= 0 || attachments.length === maxFiles;
    // One byte shows whether there is more that does not fit.
    const content = Buffer.from(await readTail(file, isFull ? 1 : Math.min(maxFileBytes, remaining)));
    if (content.length === 0) continue;
    if (isFull) return { attachments, note: 'Not all logs are attached: they are too many, or too large together.' };
    attachments.push({ name: path.basename(file), content });
    remaining -= content.length;
  }
  return { attachments, note: undefined };
}

/** Each file once: both streams may have the same. */
function listLogFiles(steps: readonly LoggedStep[]): ReadonlySet<string> {
  const hasSucceeded = ({ status }: LoggedStep): boolean => nodeStatus.isPassed(status);
  const ordered = [...steps.filter((step) => !hasSucceeded(step)), ...steps.filter(hasSucceeded)];
  const files = ordered.flatMap(({ stdoutFile, stderrFile }) => [stdoutFile, stderrFile]);
  return new Set(files.filter((file) => file !== ''));
}

async function readTail(file: string, maxBytes: number): Promise<string> {
  try {
    return await readLogTail(file, 0, maxBytes);
  } catch {
    // A step that never started has none, and a mail without it is better than no mail.
    return '';
  }
}
