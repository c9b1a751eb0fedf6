import type { AppError } from '@weir/foundation';
import { inputReasons } from '../inputs/parsed-input';
import { loadPart } from '../runner/load-part';
import type { FailureContext, FailureExplanation } from './failure-explanation';
import { readJobInfo } from './job-info';
import { secretHints } from './permission-hints';
import { markdownCode } from './quote-text';

const reasonsOfInputs: ReadonlySet<string | undefined> = new Set(inputReasons);

/** Fails with reason `action_file_missing` if the bundle of causes is missing. */
export async function explainFailure(error: AppError, context: FailureContext): Promise<FailureExplanation> {
  const { message, reason } = error;
  if (reasonsOfInputs.has(reason)) {
    // The message says it all, unless the inputs are invalid because secrets are empty.
    const hints = context.settings === undefined ? secretHints(readJobInfo(context.env)) : [];
    return { message, cause: undefined, nextStep: undefined, hints, fixes: [] };
  }
  const { explainCause } = await loadPart(() => import('./explain-cause.js'));
  return explainCause(error, context);
}

/** The failure, its likely cause and the next step in several lines. */
export function formatFailure({ message, cause, nextStep, hints }: FailureExplanation): string {
  return [
    message,
    ...(cause === undefined ? [] : [`Likely cause: ${cause}`, `Next step: ${String(nextStep)}`]),
    ...hints,
  ].join('\n');
}

/** Markdown with the failure, its cause and the lines that fix it. */
export function formatFailureSummary({ message, cause, nextStep, hints, fixes }: FailureExplanation): string {
  const sections = [
    '### Authentication failed',
    message.split('\n').map(markdownCode).join('<br>'),
    cause === undefined ? '' : `**Likely cause:** ${markdownCode(cause)}`,
    nextStep === undefined ? '' : `**Next step:** ${markdownCode(nextStep)}`,
    hints.length === 0 ? '' : codeBlock('text', hints),
    ...fixes.flatMap(({ title, language, lines }) => [`**${title}:**`, codeBlock(language, lines)]),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** The fence is longer than any in the lines. */
function codeBlock(language: string, lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence].join('\n');
}
