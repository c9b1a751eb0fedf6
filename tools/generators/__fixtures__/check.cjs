// Types and lint of some files of a workspace in one program, which takes most of the time:
// `node check.cjs <tsconfig> <file or folder …>`. Prints what is wrong and exits with 1, if anything is.
const path = require('node:path');
const { ESLint } = require('eslint');
const ts = require('typescript');

async function main(config, names) {
  const program = createProgram(config);
  const places = names.map((name) => path.resolve(name));
  const isMeant = ({ fileName }) =>
    places.some((place) => fileName === place || fileName.startsWith(`${place}/`)) && !fileName.endsWith('.d.ts');
  const files = program.getSourceFiles().filter(isMeant);
  const findings = [
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: process.cwd, getNewLine: () => '\n' };
  const eslint = new ESLint({
    overrideConfig: {
      files: ['**/*.ts'],
      languageOptions: { parserOptions: { projectService: false, programs: [program] } },
    },
  });
  const results = await eslint.lintFiles(files.map(({ fileName }) => fileName));
  const { format } = await eslint.loadFormatter('stylish');
  console.log(ts.formatDiagnostics(findings, host), await format(results));
  console.log(`${files.length} files are checked.`);
  process.exitCode = findings.length > 0 || results.some(({ messages }) => messages.length > 0) ? 1 : 0;
}

function createProgram(file) {
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(
    config,
    ts.sys,
    path.dirname(path.resolve(file)),
  );
  if (errors.length > 0) throw new Error(ts.flattenDiagnosticMessageText(errors[0].messageText, '\n'));
  return ts.createProgram(fileNames, options);
}

const [config, ...names] = process.argv.slice(2);
void main(config, names);
