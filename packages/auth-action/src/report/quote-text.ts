/** One argument of a POSIX shell. */
export function shellText(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A string of Terraform, without interpolation. */
export function hclText(text: string): string {
  return JSON.stringify(text).replaceAll(/[$%](?=\{)/g, '$&$&');
}

/** Any text as code in Markdown, also in a table. */
export function markdownCode(text: string): string {
  // HTML entities, because texts cannot be escaped in a code span of a Markdown table.
  const safe = text.replaceAll(/[^\w./:@,=+ -]/gu, (character) => `&#${String(character.codePointAt(0))};`);
  return `<code>${safe}</code>`;
}
