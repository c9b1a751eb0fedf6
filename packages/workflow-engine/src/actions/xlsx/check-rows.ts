import type { JsonValue } from '@weir/workflow-spec';
import { convertValue, valueText, type ValueType } from './cell-values';
import { columnLetters, type SheetRows } from './sheet-rows';

/** Rules for the rows of a sheet, by the names of columns. */
export interface RowRules {
  readonly required: readonly string[];
  readonly notBlank: readonly string[];
  readonly unique: readonly string[];
  readonly types: Readonly<Record<string, ValueType>>;
  readonly allowed: Readonly<Record<string, readonly JsonValue[]>>;
}

export interface RowProblem {
  readonly code: 'missing_column' | 'blank' | 'type' | 'duplicate' | 'not_allowed';
  readonly sheet: string;
  /** Missing for a column that is missing. */
  readonly cell?: string;
  readonly row?: number;
  readonly column: string;
  readonly message: string;
}

interface Column {
  /** As the header has it. */
  readonly name: string;
  readonly letters: string;
}

/** Checks every row with a value. Missing columns come first, then each row by the order of the rules. */
export function checkRows(
  found: SheetRows,
  rules: RowRules,
): { readonly problems: readonly RowProblem[]; readonly rows: number } {
  const { sheet } = found;
  const problems: RowProblem[] = [];
  const columns = findColumns(found, rules, problems);
  const seen = new Map<string, number>();
  const rows = found.rows.filter((row) =>
    Object.entries(row).some(([name, value]) => name !== '_row' && value !== null),
  );
  for (const row of rows) {
    const report = (code: RowProblem['code'], { name, letters }: Column, message: string): void => {
      problems.push({ code, sheet, cell: `${letters}${row._row}`, row: row._row, column: name, message });
    };
    const check = (names: readonly string[], rule: (value: JsonValue, column: Column, name: string) => void): void => {
      for (const name of names) {
        const column = columns.get(name);
        if (column !== undefined) rule(row[column.name] ?? null, column, name);
      }
    };
    check(rules.notBlank, (value, column) => {
      if (isBlank(value)) report('blank', column, `${column.name} is blank`);
    });
    check(Object.keys(rules.types), (value, column, name) => {
      const type = rules.types[name] ?? 'string';
      if (isBlank(value) || convertValue(value, type) !== undefined) return;
      report('type', column, `expected ${type}, found ${JSON.stringify(valueText(value))}`);
    });
    check(rules.unique, (value, column) => {
      if (isBlank(value)) return;
      const text = `${column.letters} ${valueText(value).trim()}`;
      const first = seen.get(text);
      if (first === undefined) seen.set(text, row._row);
      else report('duplicate', column, `duplicate value ${JSON.stringify(valueText(value))}; first at row ${first}`);
    });
    check(Object.keys(rules.allowed), (value, column, name) => {
      const allowed = rules.allowed[name] ?? [];
      if (isBlank(value) || allowed.some((each) => isSame(each, value))) return;
      const list = allowed.map(valueText).join(', ');
      report('not_allowed', column, `value ${JSON.stringify(valueText(value))} is not one of ${list}`);
    });
  }
  return { problems, rows: rows.length };
}

/** A name of a rule is that of a header, also when case or white space around it differ. */
function findColumns(found: SheetRows, rules: RowRules, problems: RowProblem[]): ReadonlyMap<string, Column> {
  const columns = new Map<string, Column>();
  const loose = (text: string): string => text.trim().toLowerCase();
  const names = [
    ...rules.required,
    ...rules.notBlank,
    ...Object.keys(rules.types),
    ...rules.unique,
    ...Object.keys(rules.allowed),
  ];
  for (const name of new Set(names)) {
    const exact = found.headers.indexOf(name);
    const index = exact === -1 ? found.headers.findIndex((header) => loose(header) === loose(name)) : exact;
    const header = found.headers[index];
    const column = found.columnNumbers[index];
    if (header !== undefined && column !== undefined)
      columns.set(name, { name: header, letters: columnLetters(column) });
    else {
      const message = `column ${JSON.stringify(name)} not found; headers present: ${found.headers.join(', ')}`;
      problems.push({ code: 'missing_column', sheet: found.sheet, column: name, message });
    }
  }
  return columns;
}

function isBlank(value: JsonValue): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** Two numbers are compared as numbers, also when one of them is text. */
function isSame(left: JsonValue, right: JsonValue): boolean {
  const [one, other] = [valueText(left).trim(), valueText(right).trim()];
  return one === other || (one !== '' && other !== '' && Number(one) === Number(other));
}
