import { validInput, invalidInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';

const yes = new Set(['true', 't', '1']);
const no = new Set(['false', 'f', '0']);

export function parseBoolean(text: string): ParsedInput<boolean> {
  const word = text.toLowerCase();
  if (yes.has(word)) return validInput(true);
  if (no.has(word)) return validInput(false);
  return invalidInput('boolean_invalid', `is ${quoteInput(text)}. Use true or false.`);
}

/** Octal permissions. The owner can read, only the owner can write, and the file is not executable. */
export function parseFileMode(text: string): ParsedInput<number> {
  if (/^(?:0o?)?[46][04][04]$/.test(text)) return validInput(Number.parseInt(text.slice(-3), 8));
  return invalidInput(
    'file_mode_invalid',
    `is ${quoteInput(text)}. Use '0600', '0640', '0644' or '0604', in quotes so that YAML does not convert it.`,
  );
}
