import { AppError } from '@weir/errors';
import type { ActionCall } from '@weir/workflow-engine';
import { resolveField, resolveText, type JsonObject, type JsonValue, type Scope, type Step } from '@weir/workflow-spec';
import type { DagRunStep } from '../dag-runs';
import { stepPlace, type StepCommandOptions } from './step-command';

const defaultOutputBytes = 1_048_576;
/** Characters of all texts of one call together: each alone is bounded already. */
const maxSettingsLength = 16_777_216;

/** Settings that are programs: `$name` in them is their own, as it is the shell's in a command. */
const programs: ReadonlySet<string> = new Set(['jq.filter filter', 'template.render template', 'js.run code']);

/** Works out everything about a step that calls an action. Throws `resolved_text_too_long`. */
export function actionCall(options: StepCommandOptions, step: Step, files: DagRunStep): ActionCall {
  const { dag } = options;
  const { run } = step;
  if (run.kind !== 'action') throw new AppError('internal', `A step of kind ${run.kind} calls no action.`);
  const { env, cwd, scope } = stepPlace(options, step, files);
  return {
    action: run.action,
    with: resolveSettings(run.action, run.with, scope),
    cwd,
    env,
    stdoutFile: files.stdoutFile,
    stderrFile: files.stderrFile,
    stopSignal: step.signalOnStop,
    killGraceMs: dag.maxCleanUpTimeSec === undefined ? undefined : dag.maxCleanUpTimeSec * 1000,
    maxOutputBytes: dag.maxOutputSize ?? defaultOutputBytes,
  };
}

/** Keys stay as they are: what a step may set is known before it runs. */
function resolveSettings(action: string, settings: JsonObject, scope: Scope): JsonObject {
  let length = 0;
  const resolve = (text: string, isProgram: boolean): string => {
    const resolved = isProgram ? resolveText(text, scope) : resolveField(text, scope);
    length += resolved.length;
    if (length > maxSettingsLength) {
      const message = `The settings of a step are longer than ${maxSettingsLength} characters after their references are replaced.`;
      throw new AppError('invalid_request', message, { reason: 'resolved_text_too_long' });
    }
    return resolved;
  };
  const entries = Object.entries(settings).map(([key, value]) => {
    const isProgram = programs.has(`${action} ${key}`);
    return [key, mapTexts(value, (text) => resolve(text, isProgram))] as const;
  });
  return Object.fromEntries(entries);
}

function mapTexts(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => mapTexts(item, map));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
