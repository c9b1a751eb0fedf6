import { AppError } from '@weir/foundation';
import { createHash } from 'node:crypto';
import { evaluateInParts } from './evaluate-in-parts';
import { Environment, Interpreter, type TemplateEnvironment } from './jinja';
import { printValue, pythonOperations } from './python-operations';
import { parsePythonProgram } from './python-program';
import { pythonText } from './python-text';
import { strftime } from './strftime';
import {
  functionValue,
  integerValue,
  listValue,
  noneValue,
  textValue,
  truthValue,
  type TemplateValue,
} from './template-value';

export type TemplateVariables = ReadonlyMap<string, TemplateValue>;

export interface ChatTemplate {
  /** SHA-256 of the source in hexadecimal. */
  readonly digest: string;
  readonly source: string;
  /** Throws an `AppError` with reason `template_refused` for a conversation that the template rejects. */
  render(variables: TemplateVariables): string;
  /** The same in parts, so that other work of the process comes in between. */
  renderInParts(variables: TemplateVariables): Promise<string>;
}

/** Throws an `AppError` with reason `template_invalid` where the source cannot be parsed. */
export function compileChatTemplate(source: string, now: () => Date): ChatTemplate {
  const program = parse(source);
  const globals = createGlobals(now);
  return {
    digest: createHash('sha256').update(source).digest('hex'),
    source,
    render(variables) {
      try {
        return String(new Interpreter(createEnvironment(globals, variables)).run(program).value);
      } catch (error) {
        throw templateRefused(error);
      }
    },
    async renderInParts(variables) {
      try {
        return await evaluateInParts(program, createEnvironment(globals, variables));
      } catch (error) {
        throw templateRefused(error);
      }
    },
  };
}

function createEnvironment(...all: readonly TemplateVariables[]): TemplateEnvironment {
  const environment = new Environment();
  for (const variables of all) for (const [name, value] of variables) environment.setVariable(name, value);
  return environment;
}

/** The message of the cause may quote the conversation. */
function templateRefused(cause: unknown): AppError {
  return new AppError('invalid_request', 'The chat template of the model does not take this conversation.', {
    reason: 'template_refused',
    cause,
  });
}

function parse(source: string) {
  try {
    return parsePythonProgram(source);
  } catch (error) {
    throw new AppError('invalid_request', 'The chat template of the model cannot be parsed.', {
      reason: 'template_invalid',
      cause: error,
    });
  }
}

function createGlobals(now: () => Date): TemplateVariables {
  return new Map([
    ...pythonOperations,
    ['__print', printValue],
    ['true', truthValue(true)],
    ['false', truthValue(false)],
    ['none', noneValue()],
    ['True', truthValue(true)],
    ['False', truthValue(false)],
    ['None', noneValue()],
    ['raise_exception', functionValue(raise)],
    ['range', functionValue(range)],
    ['strftime_now', functionValue(([format]) => textValue(strftime(now(), pythonText(format ?? textValue('')))))],
  ]);
}

function raise([message]: readonly TemplateValue[]): never {
  throw new Error(message === undefined ? 'The template raised an exception.' : pythonText(message));
}

const maxRange = 100_000;

function range(args: readonly TemplateValue[]): TemplateValue {
  const numbers = args.map((argument) => Number(argument.value));
  const [start = 0, stop = 0, step = 1] = numbers.length === 1 ? [0, ...numbers] : numbers;
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (!Number.isSafeInteger(count) || count > maxRange) throw new Error('The template creates too long a range.');
  return listValue(Array.from({ length: count }, (_, index) => integerValue(start + index * step)));
}
