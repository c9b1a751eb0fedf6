/** Formats a table as Prettier formats Markdown: cells are padded to the width of their column. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows].map((cells) => cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')));
  const widths = heads.map((_, column) => Math.max(3, ...lines.map((cells) => (cells[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
