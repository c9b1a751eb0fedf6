import type { Spot } from '../finding-report';
import { quote } from '../quote';
import { textOf } from '../yaml/yaml-value';
import type { AuthoredStep } from './authored-step';

export interface NamedStep {
  readonly step: AuthoredStep;
  readonly name: string;
}

export interface NamedSteps {
  readonly steps: readonly NamedStep[];
  /** From each name, and each ID, to the name of its step. */
  readonly handles: ReadonlyMap<string, string>;
}

/**
 * Gives every step a name: its own, else its ID, else `step_` and its place in the file. Names and IDs are one
 * space; what is taken twice is reported, and the first one has it.
 */
export function nameSteps(authored: readonly AuthoredStep[]): NamedSteps {
  const handles = new Map<string, string>();
  for (const step of authored) claimName(step, handles);
  for (const step of authored) claimId(step, handles);
  const steps = authored.map((step, index) => {
    const own = step.name?.value ?? step.id?.value;
    if (own !== undefined) return { step, name: own };
    const name = freeName(`step_${index + 1}`, handles);
    handles.set(name, name);
    return { step, name };
  });
  for (const named of steps) claimUnreadable(named, handles);
  return { steps, handles };
}

/** A name or ID that is refused still tells which step is meant: what depends on it is no further mistake. */
function claimUnreadable({ step, name }: NamedStep, handles: Map<string, string>): void {
  for (const field of [step.name, step.id]) {
    const text = field && field.value === undefined ? textOf(field.source)?.trim() : undefined;
    if (text !== undefined && !handles.has(text)) handles.set(text, name);
  }
}

function claimName({ name, source }: AuthoredStep, handles: Map<string, string>): void {
  if (name?.value === undefined) return;
  if (!handles.has(name.value)) handles.set(name.value, name.value);
  else add(source, 'duplicate_step_name', nameSpot(name), `step name must be unique: ${quote(name.value)} is taken`);
}

function claimId({ id, name, source }: AuthoredStep, handles: Map<string, string>): void {
  if (id?.value === undefined || id.value === name?.value) return;
  const owner = handles.get(id.value);
  if (owner === undefined) handles.set(id.value, name?.value ?? id.value);
  else if (owner === id.value && name) {
    add(
      source,
      'duplicate_step_id',
      id.source,
      `duplicate step ID ${quote(id.value)}: another step has it as its name`,
    );
  } else add(source, 'duplicate_step_id', id.source, `duplicate step ID ${quote(id.value)}`);
}

// In a map of steps the name is the key, and the value is the whole step.
function nameSpot({ source, key }: NonNullable<AuthoredStep['name']>): Spot {
  return source.node && 'items' in source.node ? key : source;
}

function add(
  source: AuthoredStep['source'],
  code: 'duplicate_step_name' | 'duplicate_step_id',
  spot: Spot,
  message: string,
): void {
  source.context.report.add(code, spot, message);
}

function freeName(wanted: string, taken: ReadonlyMap<string, string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`;
  return name;
}
