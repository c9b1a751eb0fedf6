import { AppError } from '@weir/foundation';
import { resolveMailServer } from '../../host/mail/mail-server-access';
import { streamCopies } from '../../values/outputs/stream-copies';
import type { ActionCall } from '../../actions/call/action-executor';
import type { Environment } from '../../values/environment/run-variables';
import type { StepShell } from '../../values/environment/step-shell';
import { resolveShellText } from '../../values/shell-text/resolve-shell-text';
import type { Dag, Harnesses, JsonObject, JsonValue, Step } from '@weir/workflow-spec';
import { findAction, isExecutable, type ExecutableAction } from '@weir/workflow-spec/actions';
import { mapTexts, resolveField, resolveText, splitShell, type Scope } from '@weir/workflow-spec/values';
import { containerEnv, type ContainerEnvContext } from './container-env';
import { resolveTexts } from '../../values/text/resolve-texts';
import type { RunValues } from '../../values/run-values/run-values';
import { resolveStep, type StepInputs } from '../../values/run-values/resolve-step';
import { toKillGraceMs } from './build-step-command';

const defaultOutputBytes = 1_048_576;
/** Characters of all strings of one call together; each of them is also bounded alone. */
const maxSettingsLength = 16_777_216;

/** The call of an action needs these of its run. */
export interface ActionCallContext extends ContainerEnvContext {
  readonly dag: Dag;
}

/** The call of an action with its references replaced. Throws `resolved_text_too_long`. */
export function buildActionCall(context: ActionCallContext, inputs: StepInputs): ActionCall {
  const { dag } = context;
  const { step, stored, values } = inputs;
  const { run } = step;
  if (run.kind !== 'action') throw new AppError('internal', `A step of kind ${run.kind} calls no action.`);
  const action = findAction(run.action);
  if (action === undefined || !isExecutable(action)) {
    throw new AppError('internal', `The action ${run.action} has no executor.`);
  }
  const { env, cwd, scope } = resolveStep(inputs);
  const settings = resolveSettings(action, withDefaults(action, dag, run.with), scope);
  return {
    action: action.name,
    stepName: step.name,
    with: settings,
    cwd,
    env,
    stepEnv: pick(env, step.env),
    containerEnv: containerEnv(context, step, { env, params: values.params }),
    registryAuths: action.dagSettings === 'registryAuths' ? resolveTexts(dag.registryAuths, scope) : undefined,
    harnesses: action.dagSettings === 'harnesses' ? resolveHarnesses(dag.harnesses, scope) : undefined,
    stdoutFile: stored.stdoutFile,
    stderrFile: stored.stderrFile,
    stopSignal: step.signalOnStop,
    killGraceMs: toKillGraceMs(dag),
    maxOutputBytes: dag.maxOutputSize ?? defaultOutputBytes,
    outputSchema: step.outputSchema,
    masker: values.masker,
    copies: streamCopies(step, stored),
    logLimit: values.logLimit,
    enclosure: values.enclosure,
    artifactsDir: values.info.artifactsDir,
    owner: toStateOwner(dag, values),
    // No other action gets the password.
    ...(action.dagSettings === 'mail' ? mailSettings(dag, settings.mailbox, scope) : {}),
  };
}

/** The account that the mailbox names, or without a mailbox the mail server. */
function mailSettings(
  dag: Dag,
  mailbox: JsonValue | undefined,
  scope: Scope,
): Pick<ActionCall, 'mailServer' | 'mailAccount'> {
  if (typeof mailbox !== 'string') return { mailServer: dag.smtp && resolveMailServer(dag.smtp, scope) };
  const wanted = mailbox.trim().toLowerCase();
  const found = Object.entries(dag.mailAccounts ?? {}).find(([address]) => address.toLowerCase() === wanted);
  return { mailAccount: found && { address: found[0], settings: resolveTexts(found[1], scope) } };
}

function toStateOwner(dag: Dag, { runKey, info, scope }: RunValues): ActionCall['owner'] {
  const { dagName, fencingToken } = info;
  // A run without an owner executes nothing.
  if (fencingToken === undefined) return undefined;
  const rootDagName = scope.context?.get('run.root_name') ?? dagName;
  return { runId: runKey, fencingToken, dagName, rootDagName, workspace: dag.workspace };
}

/** What the DAG says for every call of the action; a setting of the step replaces it as a whole. */
function withDefaults(action: ExecutableAction, dag: Dag, settings: JsonObject): JsonObject {
  const { dagDefaults } = action;
  if (dagDefaults === undefined) return settings;
  // One map serves several actions, of which not each has every key.
  const defaults = Object.entries(dag[dagDefaults] ?? {}).filter(([key]) => action.hasSetting(key));
  return { ...Object.fromEntries(defaults), ...settings };
}

/** Their programs and arguments may have references. */
function resolveHarnesses(harnesses: Harnesses | undefined, scope: Scope): Harnesses | undefined {
  if (harnesses === undefined) return undefined;
  const entries = Object.entries(harnesses).map(([name, harness]) => {
    const { binary, prefix_args: args = [] } = harness;
    const resolved = { binary: resolveField(binary, scope), prefix_args: args.map((arg) => resolveField(arg, scope)) };
    return [name, { ...harness, ...resolved }] as const;
  });
  return Object.fromEntries(entries);
}

function pick(env: Environment, entries: Step['env']): Environment {
  return Object.fromEntries(
    entries.flatMap(({ name }) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Keys are not changed: what a step may set is known before it runs. */
function resolveSettings(action: ExecutableAction, settings: JsonObject, scope: Scope): JsonObject {
  let length = 0;
  const shell = readShell(settings.shell);
  const resolveAs = {
    field: (text: string) => resolveField(text, scope),
    program: (text: string) => resolveText(text, scope),
    shell: (text: string) => resolveShellText(text, scope, shell),
  };
  const resolve = (text: string, style: keyof typeof resolveAs): string => {
    const resolved = resolveAs[style](text);
    length += resolved.length;
    if (length > maxSettingsLength) {
      const message = `The settings of a step are longer than ${maxSettingsLength} characters after their references are replaced.`;
      throw new AppError('invalid_request', message, { reason: 'resolved_text_too_long' });
    }
    return resolved;
  };
  const entries = Object.entries(settings).map(([key, value]) => {
    const style = action.referenceStyle(key, settings);
    return [key, style === 'none' ? value : mapTexts(value, (text) => resolve(text, style))] as const;
  });
  return Object.fromEntries(entries);
}

/** The shell that an action names; without one, that of the remote user or of the container. */
function readShell(setting: JsonValue | undefined): StepShell {
  const words = typeof setting === 'string' ? splitShell(setting) : setting;
  const shell = Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
  return shell.length === 0 ? { shell: ['sh'], isStepShell: false } : { shell, isStepShell: true };
}
