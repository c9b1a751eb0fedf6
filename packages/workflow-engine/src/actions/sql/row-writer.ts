import { stringify } from 'csv-stringify/sync';
import type { JsonValue } from '@weir/workflow-spec';

export interface RowFormat {
  readonly format: 'jsonl' | 'json' | 'csv';
  /** Whether the names of the columns are written first, for csv only. */
  readonly headers: boolean;
  /** Further rows are counted as cut. */
  readonly maxRows: number | undefined;
}

export interface RowCount {
  readonly rows: number;
  readonly isCut: boolean;
}

/** Writes rows of a database one by one, so that none is kept in memory. */
export class RowWriter {
  readonly #format: RowFormat;
  readonly #write: (text: string) => void | Promise<void>;
  #columns: readonly string[] = [];
  #rows = 0;
  #isCut = false;

  constructor(format: RowFormat, write: (text: string) => void | Promise<void>) {
    this.#format = format;
    this.#write = write;
  }

  /** Must be called before the rows of each result. */
  begin(columns: readonly string[]): void | Promise<void> {
    this.#columns = columns;
    const { format, headers } = this.#format;
    return format === 'csv' && headers && columns.length > 0 ? this.#write(csvLine(columns)) : undefined;
  }

  /** Whether rows were left out. */
  get isCut(): boolean {
    return this.#isCut;
  }

  get isFull(): boolean {
    return this.#rows === this.#format.maxRows;
  }

  row(values: readonly unknown[]): void | Promise<void> {
    if (this.isFull) {
      this.#isCut = true;
      return undefined;
    }
    this.#rows += 1;
    return this.#write(this.#formatRow(values.map(toJson)));
  }

  end(): RowCount & { readonly tail: string } {
    const tail = this.#format.format !== 'json' ? '' : this.#rows === 0 ? '[]\n' : '\n]\n';
    return { rows: this.#rows, isCut: this.#isCut, tail };
  }

  #formatRow(values: readonly JsonValue[]): string {
    const { format } = this.#format;
    if (format === 'csv') return csvLine(values.map(toCell));
    const text = JSON.stringify(Object.fromEntries(this.#columns.map((name, index) => [name, values[index] ?? null])));
    if (format === 'jsonl') return `${text}\n`;
    return `${this.#rows === 1 ? '[\n' : ',\n'}${text}`;
  }
}

/** Whole numbers beyond those of JSON become strings, and bytes base64. */
function toJson(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  // What drivers give besides are values of JSON.
  return value as JsonValue;
}

function toCell(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function csvLine(cells: readonly string[]): string {
  return stringify([cells.slice()]);
}
