/* oxlint-disable no-control-regex -- They are what is looked for. */
/**
 * Matches everything else that a terminal would act upon: strings for the terminal (titles, links, pictures),
 * sequences other than those of colours, and escapes of two characters.
 */
const commands =
  /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b\[[0-?]*[ -/]*(?:[@-ln-~]|$)|\x1b[ -/]*[0-Z\\^-~]|\x1b$/g;
const invisible =
  /[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** Returns the text in a safe form: only colours remain as commands, and invisible characters are named. */
export function toVisible(text: string): string {
  return text.replace(commands, '').replace(invisible, nameOf);
}

/** Returns where the text begins that a terminal would finally show: a carriage return overwrites the text before it. */
export function beginningOf(text: string): number {
  const end = text.endsWith('\r') ? text.length - 1 : text.length;
  return text.lastIndexOf('\r', end - 1) + 1;
}

/** Names a control character as terminals do (`^@`), or by its number. */
function nameOf(character: string): string {
  const code = character.charCodeAt(0);
  if (character === '\r') return '';
  if (code < 0x20 || code === 0x7f) return `^${String.fromCharCode(code ^ 0x40)}`;
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
