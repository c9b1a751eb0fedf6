import { atMostOne } from '../../shapes/settings/key-choice';
import { settingsShape, type ResolvedSettings, type SettingsSource } from '../../shapes/settings/settings-shape';
import type { Container } from '../../model/container';
import type { JsonObject } from '../../model/json';
import type { Fields } from '../../shapes/read-object';
import { transformShape, namedShape, type Shape } from '../../shapes/shape';
import { either } from '../../shapes/shapes';
import { getKind, report, type YamlValue } from '../../source/yaml/yaml-value';
import { containerKeys, creationKeys } from './container-keys';
import { image } from './container-shapes';

type ContainerFields = Fields<typeof containerKeys>;

export const containerSettings = {
  keys: containerKeys,
  choices: [atMostOne('name', 'container_name')],
  check: checkContainer,
} satisfies Omit<SettingsSource<typeof containerKeys>, 'title'>;

/** The settings of a container once their references are replaced. */
export type ResolvedContainer = Omit<ResolvedSettings<typeof containerKeys>, 'container_name'>;

const settings = namedShape('Container', settingsShape({ title: 'container', ...containerSettings }));

/** The name of an image, or a map. */
export const container: Shape<Container> = transformShape(
  either<JsonObject, string>((value) => getKind(value) === 'map', settings, image),
  (found): Container => (typeof found === 'string' ? { image: found } : withOneName(found)),
);

/** `container_name` is an alias of `name`; alone, it names an existing container. */
export function withOneName({ name, container_name: same = name, ...others }: JsonObject): Container {
  if (typeof same !== 'string') return others;
  return others.image === undefined && others.exec === undefined
    ? { ...others, exec: same }
    : { ...others, name: same };
}

function checkContainer(fields: ContainerFields, value: YamlValue): void {
  const { image, exec, name, container_name: containerName, startup, command, keep_container: keep } = fields;
  const isExisting = exec?.source !== undefined && getKind(exec.source) !== 'map';
  if (image && !image.isMisspelled && isExisting) {
    value.context.report.add('conflicting_keys', exec.keyLocation, 'exec cannot be used together with image');
  } else if (!image && !isExisting && !name && !containerName) {
    report(value, 'missing_key', 'image or exec is required');
  }
  if (isExisting && !image) checkExisting(fields, value);
  if (keep?.value === true && fields.auto_remove?.value === true) {
    const message = 'auto_remove cannot be used together with keep_container';
    value.context.report.add('conflicting_keys', fields.auto_remove.keyLocation, message);
  }
  if (startup?.value === 'command' && !command) {
    report(startup.source, 'missing_key', 'command is required when startup is command');
  }
}

// An existing container is not created, so settings of its creation are refused.
function checkExisting(fields: ContainerFields, value: YamlValue): void {
  for (const name of ['name', 'container_name', ...Object.keys(creationKeys)] as const) {
    const field = fields[name as keyof typeof containerKeys];
    if (field)
      value.context.report.add('conflicting_keys', field.keyLocation, `${name} cannot be used together with exec`);
  }
}
