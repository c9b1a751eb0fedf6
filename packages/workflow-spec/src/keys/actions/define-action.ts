import type { JsonObject } from '../../model/json';
import { namedShape, type Shape } from '../../shapes/shape';
import {
  settingsShape,
  type ResolvedSettings,
  type SettingsSource,
  type SettingsTable,
} from '../../shapes/settings/settings-shape';

/**
 * How an action is executed: by a process of its own, inside the server, or by the run itself (other runs, people, the
 * choice of a route).
 */
export type Execution = 'process' | 'in-process' | 'composite';

/**
 * Which references in the strings of a setting are replaced. `field`: all of them, `$NAME` and `${NAME}` included.
 * `program`: those of the language alone, since the text is a program with variables of its own. `shell`: the same in
 * code of the shell that `shell` names, as variables of that shell. `none`: the text is code, of which values from a
 * run must never become a part.
 */
export type ReferenceStyle = 'field' | 'program' | 'shell' | 'none';

/** Whether an interrupted attempt may be repeated without being asked to; may depend on the settings as written. */
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
  /** Whether the action makes no sense without settings. */
  readonly needsWith: boolean;
  readonly execution: How;
  /**
   * Whether a step whose attempt was cut off by a crash may be executed again: it only reads, waits or repeats itself.
   */
  isRestartable(settings: JsonObject): boolean;
  /** How the references of a setting are replaced. */
  referenceStyle(setting: string, settings: JsonObject): ReferenceStyle;
  /** Whether it has a setting of this name. */
  hasSetting(name: string): boolean;
  /** The key of the DAG whose map gives the settings that a step leaves out. */
  readonly dagDefaults?: 'harness' | 'kubernetes' | 'llm' | 'redis' | 's3' | 'ssh';
  /** The key of the DAG that the action works with besides its settings. */
  readonly dagSettings?: 'harnesses' | 'registryAuths' | 'smtp';
}

interface ActionSource<Keys extends SettingsTable, How extends Execution>
  extends
    Omit<SettingsSource<Keys>, 'title'>,
    Pick<ActionDeclaration<string, never, How>, 'dagDefaults' | 'dagSettings'> {
  readonly description: string;
  readonly execution: How;
  readonly restart: Restart;
  /** For each setting that is no plain field. */
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

/** `http.request` is `HttpRequestWith`. */
export function schemaName(name: string): string {
  const words = name.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}With`;
}
