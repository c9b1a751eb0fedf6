/** Copies a text to the clipboard, even on pages without TLS, where browsers disable the newer interface. */
export async function copyText(text: string): Promise<void> {
  // It is missing there, although its type denies that.
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
