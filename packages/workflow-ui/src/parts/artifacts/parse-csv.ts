/** Parses rows of comma-separated values; quoted ones may contain commas, quotes and line breaks. */
export function parseCsv(text: string, maxRows: number): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    const row = rows.at(-1) ?? [];
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (end === '' || rows.length >= maxRows) break;
    rows.push([]);
  }
  return rows.filter((row) => row.length > 1 || row[0] !== '');
}
