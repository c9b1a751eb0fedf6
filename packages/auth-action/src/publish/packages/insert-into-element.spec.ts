import { insertIntoElement } from './insert-into-element';

describe('insertIntoElement', () => {
  it.each([
    ['into the element', '<s a=">"><x>1</x></s>', '<s a=">"><x>+1</x></s>'],
    ['into an empty element', '<s><x/></s>', '<s><x>+</x>\n</s>'],
    ['into a new element', '<?xml version="1.0"?>\n<s>\n</s>\n', '<?xml version="1.0"?>\n<s>\n<x>+</x>\n</s>\n'],
    ['not into a comment', '<s><!-- <x> --></s>', '<s><!-- <x> --><x>+</x>\n</s>'],
    ['not into text', '<s><y><![CDATA[<x>]]></y></s>', '<s><y><![CDATA[<x>]]></y><x>+</x>\n</s>'],
    ['not into an element further down', '<s><y><x></x></y></s>', '<s><y><x></x></y><x>+</x>\n</s>'],
  ])('inserts %s', (_, xml, expected) => {
    expect(insertIntoElement(xml, 'x', '+')).toBe(expected);
  });

  it.each(['', 'x', '<s/>', '<s>'])('refuses %p', (xml) => {
    expect(() => insertIntoElement(xml, 'x', '+')).toThrow('not an XML document');
  });
});
