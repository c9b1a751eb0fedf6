import { parsed, wrong, type Parsed } from './parsed';
import { show } from './show';

const yes = new Set(['true', 't', '1']);
const no = new Set(['false', 'f', '0']);

export function parseBoolean(text: string): Parsed<boolean> {
  const word = text.toLowerCase();
  if (yes.has(word)) return parsed(true);
  if (no.has(word)) return parsed(false);
  return wrong('boolean_invalid', `is ${show(text)}. Give true or false.`);
}

/** Rights as octal text. The owner reads, nobody executes, and nobody but the owner writes. */
export function parseFileMode(text: string): Parsed<number> {
  if (/^(?:0o?)?[46][04][04]$/.test(text)) return parsed(Number.parseInt(text.slice(-3), 8));
  return wrong(
    'file_mode_invalid',
    `is ${show(text)}. Give '0600', '0640', '0644' or '0604', in quotes so that YAML does not change it.`,
  );
}
