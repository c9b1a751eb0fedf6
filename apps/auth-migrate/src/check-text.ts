import { isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import { findAuthSteps, type AuthStep } from './auth-steps';
import { checkInputs } from './check-inputs';
import { replaceAction } from './edits';
import type { Finding } from './finding';
import { awsOutputs } from './aws-interface';
import { cleanUpVariables } from './azure-interface';
import { endpointVariables, peerOutputs } from './peer-interface';
import { toRemark, type Remark } from './remark';

/** The findings of one file, in the order of its lines, or why it cannot be read. */
export type TextReport = { readonly findings: readonly Finding[] } | { readonly unreadable: string };

/**
 * Checks a workflow or composite action. `target` is `OWNER/NAME@REF` of the action that replaces the peer. Text is
 * never evaluated, and aliases are not expanded, so no file takes more than linear time.
 */
export function checkText(text: string, target: string): TextReport {
  const lines = new LineCounter();
  const document = parse(text, lines);
  if (typeof document === 'string') return { unreadable: document };
  const steps = findAuthSteps(document);
  const remarks = steps.flatMap((step) => checkStep(text, step, target));
  const uses = (name: AuthStep['peer']): boolean => steps.some(({ peer }) => peer === name);
  const variables = [
    ...(uses('google') ? findKeys(document, checkEndpointVariable) : []),
    ...(uses('azure') ? findKeys(document, checkCleanUpVariable) : []),
  ];
  const findings = [...remarks, ...variables]
    .toSorted((left, right) => left.offset - right.offset)
    .map(({ offset, edit, ...rest }): Finding => {
      const { line, col } = lines.linePos(offset);
      return { line, column: col, ...rest, edit };
    });
  return { findings };
}

function parse(text: string, lineCounter: LineCounter): Document | string {
  const document = parseDocument(text, { lineCounter, uniqueKeys: false });
  const [error] = document.errors;
  return error === undefined ? document : error.message.split('\n', 1).join('').replace(/:$/, '');
}

function checkStep(text: string, step: AuthStep, target: string): readonly Remark[] {
  const offset = step.uses.range?.[0] ?? 0;
  const name = toRemark(replaceAction(text, step, target), {
    offset,
    code: 'name',
    message: `${step.action} becomes ${target}`,
  });
  return [name, ...checkRelease(step, offset), ...checkInputs(text, step), ...checkOutputs(text, step)];
}

function checkRelease({ action, peer, release, inputs }: AuthStep, offset: number): readonly Remark[] {
  const { major, minor, isCommit } = release;
  if (isCommit) {
    const message = `${action} was pinned to a commit; --to OWNER/NAME@COMMIT pins its replacement too`;
    return [{ offset, kind: 'note', code: 'pinned_to_commit', message }];
  }
  if (peer !== 'google' || major !== 0 || minor === undefined || minor > 3) return [];
  const has = (name: string): boolean => inputs.some((input) => input.name === name);
  const missing = [
    ...(has('create_credentials_file') ? [] : ['`create_credentials_file: false`']),
    ...(minor > 2 || has('token_format') ? [] : ['`token_format: access_token`']),
  ];
  if (missing.length === 0) return [];
  const message = `set ${missing.join(' and ')}, which ${action} has as defaults`;
  return [{ offset, kind: 'manual', code: 'defaults_before_v0_4', message }];
}

function checkOutputs(text: string, { id, peer, release }: AuthStep): readonly Remark[] {
  if (id === undefined || (peer === 'google' && release.major !== 0)) return [];
  const outputs = { google: peerOutputs, aws: awsOutputs, azure: [] }[peer];
  return [...text.matchAll(outputReference)].flatMap(({ index, 0: found, groups }) => {
    const name = groups?.dotted ?? groups?.quoted ?? '';
    const here = outputs.find((output) => output.name === name)?.here;
    if (groups?.step !== id || here?.is !== 'renamed') return [];
    const start = index + found.lastIndexOf(name);
    const edit = { start, end: start + name.length, text: here.to };
    return toRemark(edit, { offset: index, code: 'output_renamed', message: `rename \`${name}\` to \`${here.to}\`` });
  });
}

const outputReference = /\bsteps\.(?<step>[\w-]+)\.outputs(?:\.(?<dotted>[\w-]+)|\[['"](?<quoted>[\w-]+)['"]\])/g;

type CheckVariable = (name: string) => Omit<Remark, 'offset' | 'kind'> | undefined;

/** What a person has to do about the keys of the document, which include the names of variables. */
function findKeys(document: Document, check: CheckVariable): readonly Remark[] {
  const remarks: Remark[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (!isScalar(key) || typeof key.value !== 'string') return;
      const found = check(key.value);
      if (found !== undefined) remarks.push({ offset: key.range?.[0] ?? 0, kind: 'manual', ...found });
    },
  });
  return remarks;
}

const checkEndpointVariable: CheckVariable = (name) => {
  if (!endpointVariables.has(name)) return undefined;
  const input = endpointVariables.get(name);
  const instead = input === undefined ? 'nothing replaces it' : `set the input \`${input}\``;
  return { code: 'endpoint_variable', message: `${name} redirects no requests of this action: ${instead}` };
};

const checkCleanUpVariable: CheckVariable = (name) => {
  const input = cleanUpVariables.get(name);
  if (input === undefined) return undefined;
  return { code: 'cleanup_variable', message: `${name} has no effect here: set the input \`${input}\`` };
};
