import { findExecutedCode } from './executed-code';

/** What executes each value of the text, which `@` stands for. */
function executorsIn(text: string): readonly (string | undefined)[] {
  const offsets = [...text.matchAll(/@/g)].map(({ index }) => index);
  const executed = findExecutedCode(text, offsets);
  return offsets.map((offset) => executed.get(offset));
}

describe('findExecutedCode', () => {
  it.each([
    ['eval', ['eval @', 'eval "echo @"', 'if eval "@"; then :; fi']],
    [
      'bash',
      ['bash -c "echo @"', "bash -lc '@'", 'bash -o pipefail -c "@"', 'sudo -u me bash -c "@"', '/bin/bash -c @'],
    ],
    [
      'sh',
      ['docker exec box sh -c "@"', 'find . -exec sh -c "@" \\;', 'timeout 5 sh -ec "@"', 'flock /tmp/l sh -c "@"'],
    ],
    ['python3', [`python3 -c "print('@')"`, "python3 -c'@'", 'python3 -W ignore -c "@"', 'x=$(python3 -c "@")']],
    ['perl', ['perl -e "@"', "perl -ne '@' f", 'perl -Mstrict -e "@"']],
    ['node', ['node -e "@"', 'node --eval="@"', 'node -r ./x -p "@"']],
    ['ruby', ['ruby -e "@"']],
    ['php', ['php -r "@"']],
    ['awk', ['awk "{print @}" f', "awk -F: '@' f", "awk -v a=b '@'", 'awk -e "@"', 'ls | sudo awk "@"']],
    ['sed', ['sed "s/a/@/" f', "sed -n -e 's/a/@/p' f", 'sed --expression="@"']],
    ['su', ['su -c "@"', 'su root -c "@"', 'su --command="@"']],
    ['flock', ['flock /tmp/l -c "@"']],
    ['ssh', ['ssh host "ls @"', 'ssh -p 22 me@host ls @'.replace('me@', 'me-'), 'ssh host <<END\n@\nEND']],
    ['trap', ['trap "echo @" EXIT']],
    ['watch', ['watch "ls @"']],
    [
      'bash',
      [
        'bash <<END\n@\nEND',
        "bash -s a <<'END'\n@\nEND",
        'bash <<< "@"',
        'cat <<END | bash\n@\nEND',
        'bash < <(echo @)',
      ],
    ],
    ['python3', ["python3 - <<'END'\nprint('@')\nEND", 'kubectl exec -i pod -- python3 <<END\n@\nEND']],
    [
      'sh',
      [
        'echo "@" | sh',
        'echo @ | tee f | sh -x',
        '(echo @) | sh',
        '{ echo @; } | sh',
        'echo @ |\n  sh',
        'echo @ |& sudo sh',
      ],
    ],
    ['sh', ['for i in 1; do echo @; done | sh', 'echo "$(echo @)" | sh', 'echo @ > >(sh)', 'echo @ | tee >(sh)']],
    ['source', ['source <(echo @)', 'if source <(echo "@"); then :; fi']],
    ['.', ['. <(echo @)']],
    ['bash', ['bash <(echo @)', 'bash -c "$(echo @)"', 'bash -c "`echo @`"', 'echo `bash -c "@"`']],
    ['declare', ['declare -i n=@', 'declare "@"', 'declare "@=1"']],
    ['let', ['let "n = @"', 'let n=@']],
    ['printf', ['printf -v "@" x']],
    ['read', ['read "@"', 'read -r @']],
    ['test', ['test -v "@"', 'test a = b -o -v "@"']],
    ['[', ['[ -v "@" ]']],
    ['[[', ['if [[ -v @ ]]; then :; fi']],
    ['unset', ['unset "@"']],
  ])('finds what %s executes in %j', (executor, texts) => {
    for (const text of texts) expect([text, ...executorsIn(text)]).toEqual([text, executor]);
  });

  it.each([
    'echo @',
    'echo "bash -c @"',
    `bash -c 'echo "$1"' bash "@"`,
    'bash script.sh "@"',
    'bash script.sh <<END\n@\nEND',
    'python3 script.py -c "@"',
    'python3 -c \'import sys\' "@"',
    'python3 -c "code" <<< "@"',
    'python3 script.py <<< "@"',
    'node x.js --eval "@"',
    'awk -v "x=@" "{print x}"',
    'awk \'{print}\' "@"',
    'sed -n p "@"',
    'ssh @ uptime',
    'cat <<END\n@\nEND\nsh other.sh',
    'export X=@',
    'local x="@"',
    'printf "%s" "@"',
    '[ -n "@" ] && echo a | sh',
    'test "@" = -v',
    'echo @ | grep node',
    'echo @ | python3 script.py',
    'echo @; echo a | sh',
    'echo @ || sh',
    'flock /tmp/l echo @',
    'trap cleanup @',
    'read -r x <<< "@"',
    'X=@ bash script.sh',
    'sh other.sh > @',
    '# bash -c @',
    'git commit -m "@"',
    'curl -d "@" localhost | jq .',
  ])('ignores values in %j', (text) => {
    expect(executorsIn(text)).toEqual([undefined]);
  });

  it('reads a reference as a whole', () => {
    const text = 'echo ${params.X} | sh';
    expect(findExecutedCode(text, [5])).toEqual(new Map([[5, 'sh']]));
  });

  it('reads open constructs in linear time', () => {
    const text = ['$(', '`', '"${', 'a |', '<<a\n', '<(', "bash -c '"].map((part) => part.repeat(30_000)).join('');
    expect(findExecutedCode(text, [text.length - 1]).size).toBeLessThan(2);
  });
});
