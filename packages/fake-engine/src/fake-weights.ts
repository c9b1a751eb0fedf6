import type { FakeEngineDialect, FakeControlCall } from './fake-engine-types';

/** The operations of an engine that replace its weights. */
export interface FakeWeights {
  /** All calls, in order. */
  readonly calls: FakeControlCall[];
  isPaused: boolean;
  /** The source of the current weights; `undefined` for those of the start. */
  source: string | undefined;
  /** The next update that reads weights is refused. */
  refusesNext: boolean;
}

export interface FakeWeightsAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The new label of the weights. */
  readonly label?: string;
}

type Sent = Readonly<Record<string, unknown>>;

/** `undefined` for other operations. */
export function answerWeights(
  weights: FakeWeights,
  dialect: FakeEngineDialect,
  path: string,
  sent: Sent,
): FakeWeightsAnswer | undefined {
  if (dialect === 'llama-cpp') return undefined;
  const operation = (dialect === 'sglang' ? sglangOperations : vllmOperations)[path.split('?')[0] ?? ''];
  if (operation === undefined) return undefined;
  weights.calls.push({ path, body: sent });
  return operation(weights, sent);
}

type Operation = (weights: FakeWeights, sent: Sent) => FakeWeightsAnswer;

const pause =
  (isPaused: boolean): Operation =>
  (weights) => {
    weights.isPaused = isPaused;
    return { status: 200, body: { status: isPaused ? 'paused' : 'resumed' } };
  };

function read(weights: FakeWeights, source: unknown): boolean {
  const isRead = !weights.refusesNext && weights.isPaused;
  weights.refusesNext = false;
  if (isRead) weights.source = String(source);
  return isRead;
}

const sglangOperations: Readonly<Record<string, Operation>> = {
  '/pause_generation': pause(true),
  '/continue_generation': pause(false),
  '/update_weights_from_disk': (weights, sent) => {
    if (!read(weights, sent.model_path)) return { status: 400, body: { success: false, message: 'Failed to update.' } };
    return { status: 200, body: { success: true, message: 'ok' }, label: String(sent.weight_version) };
  },
};

const vllmOperations: Readonly<Record<string, Operation>> = {
  '/pause': pause(true),
  '/resume': pause(false),
  '/collective_rpc': (weights, sent) => {
    const isRead = read(weights, (sent.kwargs as Sent | undefined)?.weights_path);
    return isRead ? { status: 200, body: { results: [null] } } : { status: 500, body: { error: 'no such folder' } };
  },
  '/update_weight_version': (_weights, sent) => ({
    status: 200,
    body: { success: true, new_version: sent.new_version },
    label: String(sent.new_version),
  }),
};
