import type { Variables } from '@weir/service-kit';
import { Command, CommanderError } from 'commander';

export interface CommandLineHost {
  readonly version: string;
  readonly variables: Variables;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/** `env`: the variables that options stand for. `exitCode`: the server must not start, and the reason is printed. */
export type CommandLine = { readonly env: Readonly<Record<string, string>> } | { readonly exitCode: number };

const longestLine = 100;

/** @param words What follows the program's name. */
export function readCommandLine(words: readonly string[], host: CommandLineHost): CommandLine {
  const { version, variables, print, printError } = host;
  const program = new Command('rollout-proxy')
    .description('Serves language models to agents, and records the exact tokens of every call.')
    .version(version, '-v, --version', 'print the version')
    .option('--host <address>', 'address to listen on, instead of ROLLOUT_HOST')
    .option('--port <number>', 'port to listen on, instead of ROLLOUT_PORT')
    .option('--workers <number>', 'processes that share the work, instead of ROLLOUT_WORKERS')
    .allowExcessArguments(false)
    .addHelpText('after', `\nVariables:\n${variableTexts(variables)}`)
    .exitOverride()
    .configureOutput({ writeOut: (text) => print(text.trimEnd()), writeErr: (text) => printError(text.trimEnd()) });
  try {
    const {
      host: address,
      port,
      workers,
    } = program
      .parse(words, { from: 'user' })
      .opts<{ readonly host?: string; readonly port?: string; readonly workers?: string }>();
    return {
      env: {
        ...(address === undefined ? {} : { ROLLOUT_HOST: address }),
        ...(port === undefined ? {} : { ROLLOUT_PORT: port }),
        ...(workers === undefined ? {} : { ROLLOUT_WORKERS: workers }),
      },
    };
  } catch (error) {
    // Help and version are thrown too, with exit code 0.
    if (error instanceof CommanderError) return { exitCode: error.exitCode };
    throw error;
  }
}

function variableTexts(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, { description, defaultText }]) => {
      const text = `${description} Default: ${defaultText}.`.replaceAll('`', '');
      return [`  ${name}`, ...wrap(text, longestLine - 6).map((line) => `      ${line}`)].join('\n');
    })
    .join('\n');
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
