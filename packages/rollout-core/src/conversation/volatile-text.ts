import type { MessageRole } from './message';

/** The words of dates and times. Any other word makes the line prose, which may matter to the model. */
const dateWords = [
  ...['mon(?:day)?', 'tue(?:s(?:day)?)?', 'wed(?:nesday)?', 'thu(?:rs?(?:day)?)?', 'fri(?:day)?', 'sat(?:urday)?'],
  ...['sun(?:day)?', 'jan(?:uary)?', 'feb(?:ruary)?', 'mar(?:ch)?', 'apr(?:il)?', 'may', 'june?', 'july?'],
  ...['aug(?:ust)?', 'sept?(?:ember)?', 'oct(?:ober)?', 'nov(?:ember)?', 'dec(?:ember)?', 'am', 'pm', 'at', 'of'],
  ...['the', 'and', 'time', 'week', 'utc', 'gmt', 'bst', 'ist', 'jst', '[ce]es?t', '[ecmp][sd]?t', 'local'],
  String.raw`[a-z_]+/[a-z_]+(?:/[a-z_]+)?`,
].join('|');
const dateText = String.raw`(?:[\d(),.: /+\t-]|(?<=\d)(?:st|nd|rd|th|[tz])(?![a-z])|(?:${dateWords})(?![a-z_/]))*`;

/**
 * Lines in system prompts that coding agents change with every call: Claude Code's billing header, and today's date in
 * the wording of Claude Code, Codex, opencode and OpenHands. Only whole lines match.
 */
const volatileLine = new RegExp(
  String.raw`^[ \t]*(?:x-anthropic-billing-header:.*|(?:-[ \t]*)?(?:today['’]s date|(?:the )?current date|current time|date and time)(?: and time)?(?: is\b|:)(?=[^\d\n]*\d)${dateText})\r?$`,
  'i',
);

const reminderStart = '<system-reminder>';
const reminderEnd = '</system-reminder>';

/** Removes text that may change between two calls of a conversation. Only system and user messages have such text. */
export function withoutVolatileText(role: MessageRole, text: string): string {
  if (role !== 'system' && role !== 'user') return text;
  const remaining = text.includes(reminderStart) ? withoutReminders(text) : text;
  // A message of reminders only keeps them as its content, so two such messages differ.
  if (remaining.trim() === '') return text;
  return role === 'system' ? withoutVolatileLines(remaining) : remaining;
}

function withoutReminders(text: string): string {
  let remaining = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf(reminderStart, from);
    const end = start < 0 ? -1 : text.indexOf(reminderEnd, start);
    // An unclosed block is ordinary text.
    if (end < 0) return remaining + text.slice(from);
    remaining += text.slice(from, start);
    from = end + reminderEnd.length;
  }
}

const hint = /billing-header|date|time/i;
/** Longer lines are prose. */
const maxLineLength = 512;

function withoutVolatileLines(text: string): string {
  if (!hint.test(text)) return text;
  return text
    .split('\n')
    .filter((line) => line.length > maxLineLength || !volatileLine.test(line))
    .join('\n');
}
