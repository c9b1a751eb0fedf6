/** Returns a path as text, by which the same file of two steps is recognised. */
export function filePlace(folder: string | undefined, path: string): string {
  const isWhole = path.startsWith('/') || path.startsWith('~') || folder === undefined;
  const parts: string[] = [];
  const whole = isWhole ? path : `${folder}/${path}`;
  for (const part of whole.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return `${whole.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}
