import { splitSubstitutions } from './substitutions';

const shown = (text: string) =>
  splitSubstitutions(text)?.map((part) => (part.kind === 'command' ? `<${part.text}>` : part.text));

describe('splitSubstitutions', () => {
  it.each([
    ['plain $HOME ${x}', ['plain $HOME ${x}']],
    ['a-$(date +%F)-b', ['a-', '<date +%F>', '-b']],
    ['`hostname`.local', ['<hostname>', '.local']],
    ['$(echo $(echo ")") \')\' \\))', ['<echo $(echo ")") \')\' \\)>']],
    ['`echo \\`id\\` \\$x`', ['<echo `id` $x>']],
    ['\\$(date) \\`date\\` \\\\$(id)', ['\\$(date) \\`date\\` \\\\', '<id>']],
    ['', []],
  ])('splits %j into %j', (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  it.each(['$(date', '`date', '$(echo ")', "$(echo ')"])('returns undefined for %j', (text) => {
    expect(shown(text)).toBeUndefined();
  });
});
