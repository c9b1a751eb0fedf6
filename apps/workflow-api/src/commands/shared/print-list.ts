import { stringify } from 'yaml';
import type { ListFormat } from './formats';

export interface Printed {
  /** For programs. */
  readonly value: unknown;
  /** For people. */
  readonly table: () => string;
}

/** Prints what a command found, in the format that was asked for. */
export function printList({ value, table }: Printed, options: PrintOptions): void {
  options.print(formatters[options.format](value, table));
}

interface PrintOptions {
  readonly format: ListFormat;
  readonly print: (text: string) => void;
}

const formatters: Readonly<Record<ListFormat, (value: unknown, table: () => string) => string>> = {
  table: (_, table) => table(),
  json: (value) => JSON.stringify(value),
  // As JSON has it: no dates, nothing undefined.
  yaml: (value) => stringify(JSON.parse(JSON.stringify(value))).trimEnd(),
};
