import { stringify } from 'yaml';
import type { ListFormat } from './formats';

export interface Printed {
  /** The result for programs. */
  readonly value: unknown;
  /** The result for people. */
  readonly table: () => string;
}

/** Prints the result of a command in the requested format. */
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
  // The value is what JSON can hold: no dates, nothing undefined.
  yaml: (value) => stringify(JSON.parse(JSON.stringify(value))).trimEnd(),
};
