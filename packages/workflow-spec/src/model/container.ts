import type { JsonObject } from './json';

/**
 * The container of a step or DAG, and the settings of `docker.run`. Uses the keys of the language; every value may
 * instead be a string with references.
 */
export interface Container extends JsonObject {
  /** Missing when an existing container is used. */
  readonly image?: string;
  /** Name of a running container; as a map, settings of the command executed in the container called `name`. */
  readonly exec?: string | JsonObject;
  /** Default: a generated name. */
  readonly name?: string;
  /** Default: `missing`. */
  readonly pull_policy?: string;
  /** Each entry is `NAME=value`. */
  readonly env?: readonly string[];
  /** Files of variables; a later one wins, and `env` over all. */
  readonly env_file?: readonly string[];
  readonly volumes?: readonly string[];
  readonly user?: string;
  readonly working_dir?: string;
  /** A platform such as `linux/arm64`. */
  readonly platform?: string;
  /** `container`, `host:container` or `address:host:container`, with an optional `/udp`. */
  readonly ports?: readonly string[];
  /** Name of a network, or settings passed to the engine. */
  readonly network?: string | JsonObject;
  /** Decides what the container executes while steps run in it. Default: `keepalive`. */
  readonly startup?: string;
  readonly command?: readonly string[];
  /** Default: `running`. */
  readonly wait_for?: string;
  /** A pattern that the container's log must match before the container is ready. */
  readonly log_pattern?: string;
  readonly restart_policy?: string;
  readonly keep_container?: boolean | string;
  readonly healthcheck?: JsonObject;
  readonly shell?: readonly string[];
  readonly auto_remove?: boolean | string;
  /** Settings passed to the engine unchanged. */
  readonly container?: JsonObject;
  readonly host?: JsonObject;
}
