/** Returns a JSON pointer in readable form: `/steps/3/depends/0` becomes `steps[3].depends[0]`. */
export function describePath(path: string): string {
  if (path === '') return 'the document';
  const parts = path.slice(1).split('/');
  const text = parts.map((part) =>
    /^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`,
  );
  return text.join('').replace(/^\./, '');
}
