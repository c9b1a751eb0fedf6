import { execFileSync, spawnSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { resolveShellText } from './resolve-shell-text';

const marker = 'executed';
/** What breaks out of each kind of quotes, and anything else that a caller may send. */
const hostile = [
  `$(touch ${marker})`,
  `\`touch ${marker}\``,
  `'; touch ${marker}; '`,
  `"; touch ${marker}; "`,
  `'"'"'; touch ${marker} #`,
  `\nEND\ntouch ${marker}\n`,
  `\nWEIR_END\ntouch ${marker}\n`,
  `a[$(touch ${marker})]`,
  `& touch ${marker}`,
  `| touch ${marker}`,
  `\\'; touch ${marker} #`,
  `}; touch ${marker}; \${x`,
  `)); touch ${marker}; ((`,
  `\${IFS}\${PATH:$(touch ${marker})}`,
];
const value = fc.oneof(
  fc.constantFrom(...hostile),
  fc
    .array(fc.constantFrom(...hostile, ' ', '\n', '\\', "'", '"', '$', '`', 'END', '*', '~'), { maxLength: 6 })
    .map((all) => all.join('')),
  fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0')),
);

/** Each prints the value between two bars; a shell drops line ends only at the end of a substitution. */
const exact = [
  `printf '<%s>' "\${params.v}"`,
  `printf '<%s>' '\${params.v}'`,
  `printf '<%s>' "a\${params.v}"'b\${params.v}'`,
  `x="\${params.v}"; printf '<%s>' "$x"`,
  `x=\${params.v}; printf '<%s>' "$x"`,
  `printf '<%s>' "\${NOTHING:-\${params.v}}"`,
  `f() { printf '<%s>' "$1"; }; f "\${params.v}"`,
  `case x in x) printf '<%s>' "\${params.v}" ;; esac`,
  `# \${params.v} '\nprintf '<%s>' "\${params.v}"`,
  `cat <<END\n<\${params.v}>\nEND`,
  `cat <<'END'\n<\${params.v}>$HOME \\ \`x\`\nEND`,
  `cat <<-"END" | cat\n\t<\${params.v}>\n\tEND`,
  `printf '<%s>' "$(printf '%sx' '\${params.v}')"`,
];
const expected = (text: string, given: string) => {
  if (text.includes("'b$")) return `<a${given}b${given}>`;
  if (text.includes('%sx')) return `<${given}x>`;
  if (text.includes("'END'")) return `<${given}>$HOME \\ \`x\`\n`;
  return text.startsWith('cat') ? `<${given}>\n` : `<${given}>`;
};
/** Whatever these print, none of them may execute the value. */
const loose = [
  'echo ${params.v}',
  'echo $${params.v} $$${params.v}',
  'x=$(echo ${params.v}); echo "`echo "${params.v}"`"',
  'for x in ${params.v}; do echo "$x"; done',
  'echo "$(case a in a) echo \'${params.v}\' ;; esac)"',
  'echo $((1 + ${params.v}))',
  'echo "unclosed ${params.v}',
  "echo 'unclosed ${params.v}",
  "cat <<END\n$(echo '${params.v}')",
  '${params.v}',
];

/** Every Unix shell that the engine knows; `.ci/run` installs those that are missing. */
const shells = ['sh', 'dash', 'bash', 'bash --posix', 'zsh', 'ksh', 'mksh', 'busybox sh'];
const isInstalled = (shell: string) => spawnSync(shell.split(' ')[0] ?? '', { input: '' }).error === undefined;
const missing = shells.filter((shell) => !isInstalled(shell));
if (missing.length > 0) it.skip(`not installed here: ${missing.join(', ')}`, () => undefined);

describe.each(shells.filter(isInstalled))('%s', (shell) => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'weir-shell-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const program = shell.split(' ');
  const name = program[0] === 'busybox' ? ['ash'] : program;
  const resolve = (text: string, given: string) =>
    resolveShellText(text, { params: new Map([['v', given]]), env: new Map() }, { shell: name, isStepShell: true });
  const options: ExecFileSyncOptionsWithStringEncoding = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  const args = (code: string) => [...program.slice(1), '-c', code];

  it.each(exact)('passes any value through %j unchanged', (text) => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 25, maxLength: 25 }), (values) => {
        // One process for all of them, each in a subshell, since starting a process takes longest.
        const code = values.map((given) => `(\n${resolve(text, given)}\n)\nprintf '\\036'`).join('\n');
        const output = execFileSync(program[0] ?? '', args(code), { ...options, cwd: folder });
        expect(output.split('\x1e').slice(0, -1)).toEqual(values.map((given) => expected(text, given)));
        expect(existsSync(join(folder, marker))).toBe(false);
      }),
      { numRuns: 1, examples: [[hostile]] },
    );
  });

  it.each(loose)('executes no value in %j', (text) => {
    fc.assert(
      fc.property(value, (given) => {
        let code: string;
        try {
          code = resolve(text, given);
        } catch (error) {
          expect(error).toMatchObject({ reason: 'reference_not_a_number' });
          return;
        }
        spawnSync(program[0] ?? '', args(code), { ...options, cwd: folder });
        expect(existsSync(join(folder, marker))).toBe(false);
      }),
      { numRuns: 3 },
    );
  });
});
