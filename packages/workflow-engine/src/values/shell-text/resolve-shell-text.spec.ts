import { isAppError } from '@weir/foundation';
import type { Scope } from '@weir/workflow-spec/values';
import { resolveShellText } from './resolve-shell-text';

const sh = { shell: ['sh'], isStepShell: false };

function resolve(text: string, value: string, shell: { shell: string[]; isStepShell: boolean } = sh): string {
  const scope: Scope = { params: new Map([['v', value]]), env: new Map(), consts: new Map([['c', 'a b']]) };
  return resolveShellText(text, scope, shell);
}

function catchReason(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (isAppError(error)) return error.reason;
    throw error;
  }
  return undefined;
}

describe('resolveShellText', () => {
  it('inserts a plain word unchanged', () => {
    expect(resolve('deploy ${params.v}', 'v1.2-rc/a:b@c')).toBe('deploy v1.2-rc/a:b@c');
  });

  it.each([
    ['echo ${params.v}', 'a b', "__weir_1='a b'; echo ${__weir_1}"],
    ['echo "${params.v}"', '$(id)', `__weir_1='$(id)'; echo "\${__weir_1}"`],
    ["echo '${params.v}'", "it's", `__weir_1='it'\\''s'; echo ''"\${__weir_1}"''`],
    ["echo $'\\t${params.v}'", '; id', `__weir_1='; id'; echo $'\\t'"\${__weir_1}"$''`],
    ['echo ${params.v} ${params.v}', ';', "__weir_1=';'; echo ${__weir_1} ${__weir_1}"],
    ['echo ${consts.c} ${params.v}', ';', "__weir_1='a b'; __weir_2=';'; echo ${__weir_1} ${__weir_2}"],
    ['echo $${params.v}', ';', "__weir_1=';'; echo \\$${__weir_1}"],
    ['echo "$A${params.v}"', '_TOKEN', `__weir_1=_TOKEN; echo "$A\${__weir_1}"`],
    ['echo $${params.v}', 'HOME', '__weir_1=HOME; echo \\$${__weir_1}'],
    ['echo ${A}${params.v}', 'x', 'echo ${A}x'],
    ['echo $$${params.v}', ';', "__weir_1=';'; echo $$${__weir_1}"],
    ['echo ${params.v}#x', ';', "__weir_1=';'; echo ${__weir_1}#x"],
    ['x="$(echo \'${params.v}\')"', ';', `__weir_1=';'; x="$(echo ''"\${__weir_1}"'')"`],
    ['x="`echo ${params.v}`"', ';', '__weir_1=\';\'; x="`echo ${__weir_1}`"'],
    ['echo "${X:-${params.v}}"', ';', `__weir_1=';'; echo "\${X:-\${__weir_1}}"`],
    ['echo $((1 + ${params.v}))', ' 7', 'echo $((1 +  7))'],
    ['#!/bin/bash\necho ${params.v}', ';', "#!/bin/bash\n__weir_1=';'; echo ${__weir_1}"],
    ['cat <<END\n${params.v}\nEND', ';', "__weir_1=';'; cat <<END\n${__weir_1}\nEND"],
    [
      "cat <<'END' | wc\n$HOME `a` \\ ${params.v}\nEND\necho '${params.v}'",
      ';',
      "__weir_1=';'; cat <<WEIR_END | wc\n\\$HOME \\`a\\` \\\\ ${__weir_1}\nWEIR_END\necho ''\"${__weir_1}\"''",
    ],
    ["cat <<-'END'\n\t${params.v}\n\tEND\n", ';', "__weir_1=';'; cat <<-WEIR_END\n\t${__weir_1}\n\tWEIR_END\n"],
  ])('resolves %j with the value %j to the code %j', (text, value, expected) => {
    expect(resolve(text, value)).toBe(expected);
  });

  it.each([
    ['echo \'\\${params.v}\' "\\${params.v}" \\${params.v}', 'echo \'${params.v}\' "\\${params.v}" \\${params.v}'],
    [
      "cat <<'END'\n\\${steps.a.outputs.b} \\$HOME \\\\${X}\nEND",
      "cat <<'END'\n${steps.a.outputs.b} \\$HOME \\\\${X}\nEND",
    ],
    ['cat <<END\n\\${params.v}\nEND', 'cat <<END\n\\${params.v}\nEND'],
    ["cat <<'END'\n\\${env.A} ${params.v}\nEND", "__weir_1='a b'; cat <<WEIR_END\n\\${env.A} ${__weir_1}\nWEIR_END"],
  ])('leaves of the escaped references in %j what the shell shows as written', (text, expected) => {
    expect(resolve(text, 'a b')).toBe(expected);
  });

  it('removes the backslash of an escaped reference for an interpreter that is no shell', () => {
    const python = { shell: ['python3'], isStepShell: true };

    expect(resolve('print("\\${params.v} \\\\${x} ${params.v}")', 'a', python)).toBe('print("${params.v} \\\\${x} a")');
  });

  it('keeps a here-document without references unchanged', () => {
    expect(resolve("cat <<'END'\n$HOME\nEND\necho ${params.v}", ';')).toBe(
      "__weir_1=';'; cat <<'END'\n$HOME\nEND\necho ${__weir_1}",
    );
  });

  it('splits values outside quotes in zsh, as the other shells do', () => {
    expect(resolve('echo ${params.v}', 'a b', { shell: ['/bin/zsh'], isStepShell: true })).toBe(
      "__weir_1='a b'; echo ${=__weir_1}",
    );
  });

  it('inserts a value as code where the author writes raw', () => {
    expect(resolve('${raw.params.v}', 'echo a | wc')).toBe('echo a | wc');
  });

  it.each([
    ['echo $((${params.v}))', 'a[$(id)]'],
    ['if (( ${params.v} > 1 )); then :; fi', 'a[$(id)]'],
    ['[[ ${params.v} -eq 1 ]]', 'a[$(id)]'],
    ['[[ 1 -lt "${params.v}" ]]', 'a[$(id)]'],
    ['echo ${list[${params.v}]}', '$(id)'],
    ['echo ${text:${params.v}}', 'a[$(id)]'],
    ['list[${params.v}]=1', 'a[$(id)]'],
  ])('refuses a value that is not a number in %j', (text, value) => {
    expect(catchReason(() => resolve(text, value))).toBe('reference_not_a_number');
  });

  it.each([
    ['print("${params.v}")', ['python3', '-c'], 'a"b'],
    ['#!/usr/bin/env python3\nprint("${params.v}")', ['sh'], 'two words'],
    ['echo ${params.v}', ['pwsh', '-Command'], '; id'],
    ['echo ${params.v}', ['cmd', '/c'], '& dir'],
    ['echo ${params.v}', ['fish', '-c'], '(id)'],
  ])('refuses a value with special characters in %j for %j', (text, shell, value) => {
    expect(catchReason(() => resolve(text, value, { shell, isStepShell: shell[0] !== 'sh' }))).toBe(
      'unsafe_reference_value',
    );
  });

  it.each([
    'python3 -c "print(\'${params.v}\')"',
    'bash -c "echo ${params.v}"',
    'bash <<END\necho ${params.v}\nEND',
    'echo "${params.v}" | sh',
    'source <(echo ${params.v})',
    'trap "echo ${params.v}" EXIT',
    'declare -i n=${params.v}',
    'test -v "${params.v}"',
  ])('refuses a value that another program would execute in %j, unless it is a plain word or raw', (text) => {
    expect(catchReason(() => resolve(text, 'a[$(id)]'))).toBe('unsafe_reference_value');
    expect(resolve(text, 'plain')).toBe(text.replace('${params.v}', 'plain'));
    expect(resolve(text.replace('params', 'raw.params'), 'a[$(id)]')).toBe(text.replace('${params.v}', 'a[$(id)]'));
  });

  it('finds the interpreter behind env', () => {
    expect(resolve('#!/usr/bin/env -S bash -e\necho ${params.v}', ';')).toBe(
      "#!/usr/bin/env -S bash -e\n__weir_1=';'; echo ${__weir_1}",
    );
  });

  it('reads a long text of open constructs in linear time', () => {
    const text = `${'"$(('.repeat(50_000)}\${params.v}${"'<<a\n`".repeat(50_000)}`;
    expect(resolve(text, '7 ')).toHaveLength(text.length - '${params.v}'.length + 2);
  });
});
