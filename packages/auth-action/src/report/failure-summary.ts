import type { FailureExplanation } from './failure-explanation';
import { markdownCode } from './quote-text';

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
