import type { SourceLocation } from '../../source/findings/source-location';
import { quote } from '../../source/text/quote';
import { getText } from '../../source/yaml/yaml-value';
import type { AuthoredStep } from './authored-step';

export interface NamedStep {
  readonly step: AuthoredStep;
  readonly name: string;
}

export interface NamedSteps {
  readonly steps: readonly NamedStep[];
  /** Maps each name and ID to the name of its step. */
  readonly namesByReference: ReadonlyMap<string, string>;
  /** Maps the names that 1.x generated for the steps without one to the present names. */
  readonly namesOf1x: ReadonlyMap<string, string>;
}

/**
 * Names every step: by its name, else its ID, else `step_` and its position. Names and IDs share one namespace;
 * duplicates are reported, and the first one wins.
 */
export function nameSteps(authored: readonly AuthoredStep[]): NamedSteps {
  const namesByReference = new Map<string, string>();
  for (const step of authored) registerName(step, namesByReference);
  for (const step of authored) registerId(step, namesByReference);
  const steps = authored.map((step, index) => {
    const own = step.name?.value ?? step.id?.value;
    if (own !== undefined) return { step, name: own };
    const name = chooseUniqueName(`step_${index + 1}`, namesByReference);
    namesByReference.set(name, name);
    return { step, name };
  });
  for (const named of steps) registerUnreadable(named, namesByReference);
  return { steps, namesByReference, namesOf1x: generateNamesOf1x(steps) };
}

const prefixesOf1x: Readonly<Record<string, string>> = {
  'dag.run': 'dag',
  'docker.run': 'container',
  'http.request': 'http',
  'jq.filter': 'jq',
  'mail.send': 'mail',
  'ssh.run': 'ssh',
};

function generateNamesOf1x(steps: readonly NamedStep[]): ReadonlyMap<string, string> {
  return new Map(
    steps.flatMap(({ step, name }, index) =>
      step.name || step.id ? [] : readPrefixes(step).map((prefix) => [`${prefix}_${index + 1}`, name] as const),
    ),
  );
}

function readPrefixes({ parts: { run } }: AuthoredStep): readonly string[] {
  // A script in one of the versions may be a command in the other.
  if (run.kind !== 'action') return run.kind === 'foreach' ? [] : ['cmd', 'script'];
  const prefix = prefixesOf1x[run.action];
  return prefix === undefined ? [] : [prefix];
}

/** An invalid name or ID still identifies its step, so that dependencies on it are not reported again. */
function registerUnreadable({ step, name }: NamedStep, namesByReference: Map<string, string>): void {
  for (const field of [step.name, step.id]) {
    const text = field && field.value === undefined ? getText(field.source)?.trim() : undefined;
    if (text !== undefined && !namesByReference.has(text)) namesByReference.set(text, name);
  }
}

function registerName({ name, source }: AuthoredStep, namesByReference: Map<string, string>): void {
  if (name?.value === undefined) return;
  if (!namesByReference.has(name.value)) namesByReference.set(name.value, name.value);
  else
    reportDuplicate(
      source,
      'duplicate_step_name',
      locateName(name),
      `step name must be unique: ${quote(name.value)} is taken`,
    );
}

function registerId({ id, name, source }: AuthoredStep, namesByReference: Map<string, string>): void {
  if (id?.value === undefined || id.value === name?.value) return;
  const owner = namesByReference.get(id.value);
  if (owner === undefined) namesByReference.set(id.value, name?.value ?? id.value);
  else if (owner === id.value && name) {
    reportDuplicate(
      source,
      'duplicate_step_id',
      id.source,
      `duplicate step ID ${quote(id.value)}: another step has this name`,
    );
  } else reportDuplicate(source, 'duplicate_step_id', id.source, `duplicate step ID ${quote(id.value)}`);
}

// In a map of steps the key is the name, and the value is the whole step.
function locateName({ source, keyLocation: key }: NonNullable<AuthoredStep['name']>): SourceLocation {
  return source.node && 'items' in source.node ? key : source;
}

function reportDuplicate(
  source: AuthoredStep['source'],
  code: 'duplicate_step_name' | 'duplicate_step_id',
  location: SourceLocation,
  message: string,
): void {
  source.context.report.add(code, location, message);
}

function chooseUniqueName(wanted: string, usedNames: ReadonlyMap<string, string>): string {
  let name = wanted;
  for (let count = 2; usedNames.has(name); count += 1) name = `${wanted}_${count}`;
  return name;
}
