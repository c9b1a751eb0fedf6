/** Comments, CDATA, instructions and the document type, which can contain what looks like an element; and elements. */
const markup =
  /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<![^>]*>|<(?<slash>\/?)(?<name>[\w:.-]+)(?:"[^"]*"|'[^']*'|[^"'>])*>/gs;

/**
 * Inserts the text at the start of an element below the root, and creates the element if it is missing. Everything else
 * stays as it is. Throws if there is no root with content.
 */
export function insertIntoElement(xml: string, element: string, text: string): string {
  let depth = 0;
  for (const found of xml.matchAll(markup)) {
    const { slash, name } = found.groups ?? {};
    const [tag] = found;
    const end = found.index + tag.length;
    const isEmpty = tag.endsWith('/>');
    if (name === undefined) continue;
    if (slash === '' && depth === 1 && name === element) {
      return isEmpty ? replace(xml, [found.index, end], wrap(element, text)) : replace(xml, [end, end], text);
    }
    if (slash === '/') depth -= 1;
    else if (!isEmpty) depth += 1;
    if (slash === '/' && depth === 0) return replace(xml, [found.index, found.index], wrap(element, text));
  }
  throw new Error('it is not an XML document with a root that has content');
}

function wrap(element: string, text: string): string {
  return `<${element}>${text}</${element}>\n`;
}

function replace(text: string, [start, end]: readonly [number, number], replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
