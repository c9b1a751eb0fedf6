import type { JsonObject } from './json';

/**
 * The container of a step or of a whole DAG, and the settings of `docker.run`. The keys are those of the language;
 * every value may be a text with references in place of what is named here.
 */
export interface Container extends JsonObject {
  /** Missing when a container that is there already is used. */
  readonly image?: string;
  /** Name of a container that runs already; as a map, settings of what is carried out in the one called `name`. */
  readonly exec?: string | JsonObject;
  /** Name of the container; made up when missing. */
  readonly name?: string;
  /** `missing` when not given. */
  readonly pull_policy?: string;
  /** `NAME=value` each. */
  readonly env?: readonly string[];
  /** `source:target` with an optional `:ro` or `:rw`. */
  readonly volumes?: readonly string[];
  readonly user?: string;
  readonly working_dir?: string;
  /** `linux/arm64`. */
  readonly platform?: string;
  /** `container`, `host:container` or `address:host:container`, with an optional `/udp`. */
  readonly ports?: readonly string[];
  /** Name of a network, or the engine's own settings. */
  readonly network?: string | JsonObject;
  /** What the container does while steps run in it: `keepalive` when not given. */
  readonly startup?: string;
  readonly command?: readonly string[];
  /** `running` when not given. */
  readonly wait_for?: string;
  /** An expression that the container's log must match before it counts as ready. */
  readonly log_pattern?: string;
  readonly restart_policy?: string;
  readonly keep_container?: boolean | string;
  readonly healthcheck?: JsonObject;
  readonly shell?: readonly string[];
  readonly auto_remove?: boolean | string;
  /** Settings handed to the engine as they are. */
  readonly container?: JsonObject;
  readonly host?: JsonObject;
}
