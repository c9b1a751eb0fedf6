/** Puts a text into the clipboard; also on pages without TLS, where browsers keep the newer way to themselves. */
export async function copyText(text: string): Promise<void> {
  // Absent there, whatever its type says.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- There is no other way on such pages.
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('The browser has not copied the text.');
}
