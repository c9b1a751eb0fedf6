import fc from 'fast-check';
import { quoteWord, splitWords } from './words';

const texts = (line: string) => splitWords(line)?.map((word) => word.text);

describe('splitWords', () => {
  it.each([
    ['', []],
    ['  a\tb\nc ', ['a', 'b', 'c']],
    ['"two words" \'and "these"\'', ['two words', 'and "these"']],
    ['a="x y" b=\'\' c=', ['a=x y', 'b=', 'c=']],
    ['it\'s data={"a":1}', ["it's", 'data={"a":1}']],
    ['"a\\"b\\\\c\\d"', ['a"b\\c\\d']],
    ['C:\\dir\\x', ['C:\\dir\\x']],
    ['"a"b', ['ab']],
    ['day=`date +%F` `ls -l` a`b c`', ['day=`date +%F`', '`ls -l`', 'a`b', 'c`']],
    ['`open a', ['`open', 'a']],
  ])('splits %j into %j', (line, words) => {
    expect(texts(line)).toEqual(words);
  });

  it.each(['"open', "a='open", 'a "'])('returns undefined for the open quote in %j', (line) => {
    expect(splitWords(line)).toBeUndefined();
  });

  it('distinguishes an equals sign from a quoted one', () => {
    expect(splitWords('a=b=c "d=e"')).toEqual([{ text: 'a=b=c', equalsAt: 1 }, { text: 'd=e' }]);
  });

  it('reads back what quoteWord wrote', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        expect(texts(words.map(quoteWord).join(' '))).toEqual(words);
      }),
    );
  });
});
