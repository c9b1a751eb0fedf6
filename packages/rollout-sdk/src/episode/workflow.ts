import type { RolloutOutcome } from './outcome';

/** The data of an episode that a workflow may read in addition to its own data. */
export interface EpisodeContext {
  /** Number of the member in its group, from 0. Default 0. */
  readonly sampleIndex?: number;
  /** Aborts the episode. */
  readonly signal?: AbortSignal;
}

/** Plays episodes. `engine` is the one that the trainer trains; a workflow in front of a proxy does not need it. */
export interface RolloutWorkflow<Data = unknown, Engine = unknown> {
  arunEpisode(engine: Engine, data: Data, context?: EpisodeContext): Promise<RolloutOutcome>;
}

/**
 * The agent's access to its model. In a separate process the agent finds it in `LLM_BASE_URL` and `LLM_API_KEY`
 * instead.
 */
export interface AgentKwargs {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** `fetch` over the connections that all episodes share. */
  readonly httpClient?: typeof fetch;
  /** Aborted when the time of the episode is over. */
  readonly signal?: AbortSignal;
  readonly sampleIndex: number;
}

/** Anything with a method `run`. Returns the reward: a number, a boolean, an object of them by id, or nothing. */
export interface Agent<Data = unknown> {
  run(data: Data, kwargs: AgentKwargs): unknown;
}

type AnyClass = new (kwargs?: unknown) => unknown;

export function isWorkflow(value: unknown): value is RolloutWorkflow {
  return hasMethod(value, 'arunEpisode');
}

export function isAgent(value: unknown): value is Agent {
  return hasMethod(value, 'run');
}

/** Whether a value is a class whose instances have that method. */
export function isClassWith(value: unknown, method: 'arunEpisode' | 'run'): value is AnyClass {
  return typeof value === 'function' && hasMethod(value.prototype, method);
}

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' && value !== null && name in value && isFunction((value as Record<string, unknown>)[name])
  );
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
