import type { MessageRole } from './message';

/** What a date and a time of day are written with. Any other word on the line makes it prose: it may be who the model is. */
const dateWords = [
  ...['mon(?:day)?', 'tue(?:s(?:day)?)?', 'wed(?:nesday)?', 'thu(?:rs?(?:day)?)?', 'fri(?:day)?', 'sat(?:urday)?'],
  ...['sun(?:day)?', 'jan(?:uary)?', 'feb(?:ruary)?', 'mar(?:ch)?', 'apr(?:il)?', 'may', 'june?', 'july?'],
  ...['aug(?:ust)?', 'sept?(?:ember)?', 'oct(?:ober)?', 'nov(?:ember)?', 'dec(?:ember)?', 'am', 'pm', 'at', 'of'],
  ...['the', 'and', 'time', 'week', 'utc', 'gmt', 'bst', 'ist', 'jst', '[ce]es?t', '[ecmp][sd]?t', 'local'],
  String.raw`[a-z_]+/[a-z_]+(?:/[a-z_]+)?`,
].join('|');
const dateText = String.raw`(?:[\d(),.: /+\t-]|(?<=\d)(?:st|nd|rd|th|[tz])(?![a-z])|(?:${dateWords})(?![a-z_/]))*`;

/**
 * Lines that coding agents write anew into the system prompt of every call: Claude Code's billing header, and today's
 * date in the words that Claude Code, Codex, opencode and OpenHands use. Only the whole line counts.
 */
const volatileLine = new RegExp(
  String.raw`^[ \t]*(?:x-anthropic-billing-header:.*|(?:-[ \t]*)?(?:today['’]s date|(?:the )?current date|current time|date and time)(?: and time)?(?: is\b|:)(?=[^\d\n]*\d)${dateText})\r?$`,
  'i',
);

const reminderStart = '<system-reminder>';
const reminderEnd = '</system-reminder>';

/** The text without what may change between two calls of one conversation. Only system and user messages have such. */
export function withoutVolatileText(role: MessageRole, text: string): string {
  if (role !== 'system' && role !== 'user') return text;
  const remaining = text.includes(reminderStart) ? withoutReminders(text) : text;
  // Nothing but reminders: they are what was said, and two such messages are not the same.
  if (remaining.trim() === '') return text;
  return role === 'system' ? withoutVolatileLines(remaining) : remaining;
}

function withoutReminders(text: string): string {
  let remaining = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf(reminderStart, from);
    const end = start < 0 ? -1 : text.indexOf(reminderEnd, start);
    // A block that is never closed is text like any other.
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
