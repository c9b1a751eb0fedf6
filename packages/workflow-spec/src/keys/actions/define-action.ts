import type { JsonObject } from '../../model/json';
import { namedShape, type Shape } from '../../shapes/shape';
import {
  settingsShape,
  type ResolvedSettings,
  type SettingsSource,
  type SettingsTable,
} from '../../shapes/settings/settings-shape';

/**
 * The execution of an action: by a process of its own, inside the server, or by the run itself (other runs, people,
 * the choice of a route).
 */
export type Execution = 'process' | 'in-process' | 'composite';

/**
 * Decides which references in the strings of a setting are replaced. `field`: all of them, `$NAME` and `${NAME}`
 * included. `program`: those of the language alone, since the text is a program with variables of its own. `shell`:
 * the same in code of the shell that `shell` names, as variables of that shell. `none`: the text is code, of which
 * values from a run must never become a part.
 */
export type ReferenceStyle = 'field' | 'program' | 'shell' | 'none';

/** Whether an interrupted attempt may be repeated by default; may depend on the settings as written. */
type Restart = boolean | ((settings: JsonObject) => boolean);

type References<Keys> = {
  readonly [Name in keyof Keys]?: ReferenceStyle | ((settings: JsonObject) => ReferenceStyle);
};

/** Everything that the language and the engine know of an action besides the code that performs it. */
export interface ActionDeclaration<Name extends string, Settings, How extends Execution> {
  readonly name: Name;
  readonly description: string;
  /** Its settings: keys in their present spelling, values as written, references left as strings. */
  readonly with: Shape<JsonObject, Settings>;
  /** Whether the action has no meaning without settings. */
  readonly needsWith: boolean;
  readonly execution: How;
  /** Whether a step whose attempt was interrupted by a crash may be executed again: it only reads, waits or repeats itself. */
  isRestartable(settings: JsonObject): boolean;
  /** Returns which references of a setting are replaced. */
  referenceStyle(setting: string, settings: JsonObject): ReferenceStyle;
  /** Whether the action has a setting of this name. */
  hasSetting(name: string): boolean;
  /** The key of the DAG whose map gives the settings that a step omits. */
  readonly dagDefaults?: 'harness' | 'kubernetes' | 'llm' | 'redis' | 's3' | 'ssh';
  /** The key of the DAG that the action uses besides its settings. */
  readonly dagSettings?: 'harnesses' | 'mail' | 'registryAuths';
}

interface ActionSource<Keys extends SettingsTable, How extends Execution>
  extends
    Omit<SettingsSource<Keys>, 'title'>,
    Pick<ActionDeclaration<string, never, How>, 'dagDefaults' | 'dagSettings'> {
  readonly description: string;
  readonly execution: How;
  readonly restart: Restart;
  /** The styles of the settings that are no plain fields. */
  readonly references?: References<Keys>;
}

/** Declares an action. Its executor is found by the name; see `actionExecutors` of the engine. */
export function defineAction<const Name extends string, Keys extends SettingsTable, const How extends Execution>(
  name: Name,
  source: ActionSource<Keys, How>,
): ActionDeclaration<Name, ResolvedSettings<Keys>, How> {
  const { description, execution, restart, references = {}, dagDefaults, dagSettings, ...settings } = source;
  const isRequired = Object.values(source.keys).some((spec) => spec.required === true);
  const styles = new Map(Object.entries<References<Keys>[keyof Keys]>(references));
  return {
    name,
    description,
    with: namedShape(schemaName(name), settingsShape({ title: `with of ${name}`, ...settings })),
    needsWith: isRequired || (source.choices ?? []).some((choice) => choice.isRequired),
    execution,
    isRestartable: (given) => (typeof restart === 'function' ? restart(given) : restart),
    referenceStyle: (setting, given) => {
      const style = styles.get(setting) ?? 'field';
      return typeof style === 'function' ? style(given) : style;
    },
    hasSetting: (setting) => Object.hasOwn(source.keys, setting) || source.others !== undefined,
    ...(dagDefaults === undefined ? {} : { dagDefaults }),
    ...(dagSettings === undefined ? {} : { dagSettings }),
  };
}

/** Returns the name of the settings' schema: `http.request` gives `HttpRequestWith`. */
export function schemaName(name: string): string {
  const words = name.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}With`;
}
