import type { ServerResponse } from 'node:http';
import type { FakeEngineOptions } from './fake-engine-types';
import { answerAdapters, createFakeAdapters, type FakeAdapters } from './fake-adapters';
import { answerWeights, type FakeWeights } from './fake-weights';
import { sendJson } from './fake-writer';

/** All endpoints except generation: health, model info, tokenization, weights, adapters, aborts. */
export interface FakeControl {
  readonly abortCalls: string[];
  readonly weights: FakeWeights;
  readonly adapters: FakeAdapters;
  health: 'good' | 'failing' | 'silent';
  label: string;
  answer(method: string, path: string, body: string, response: ServerResponse): void;
}

export function createFakeControl(options: FakeEngineOptions): FakeControl {
  const model = options.model ?? 'fake';
  const contextLength = options.contextLength ?? 32_768;
  const pages: Readonly<Record<string, unknown>> = {
    'GET /version': { version: '1.0.0' },
    'GET /get_server_info': { version: '1.0.0', model_path: model, context_length: contextLength },
    'GET /props': { build_info: 'b1-fake', model_alias: model, default_generation_settings: { n_ctx: contextLength } },
  };
  const models = () => [
    { id: model, object: 'model', max_model_len: contextLength },
    ...[...control.adapters.loaded].map(([id, root]) => ({ id, object: 'model', root, parent: model })),
  ];
  const control: FakeControl = {
    abortCalls: [],
    weights: { calls: [], isPaused: false, source: undefined, refusesNext: false },
    adapters: createFakeAdapters(options.adapters),
    health: 'good',
    label: options.weightVersion ?? 'default',
    answer: (method, path, body, response) => {
      if (path === '/health') {
        answerHealth(control.health, response);
        return;
      }
      if (method === 'GET' && path === '/weight_info' && isLabelledVllm(options)) {
        sendJson(response, 200, JSON.stringify({ weight_version: control.label }));
        return;
      }
      if (`${method} ${path}` === 'GET /v1/models') {
        sendJson(response, 200, JSON.stringify({ object: 'list', data: models() }));
        return;
      }
      const page = pages[`${method} ${path}`];
      if (page !== undefined) {
        sendJson(response, 200, JSON.stringify(page));
        return;
      }
      const sent = method === 'POST' ? (JSON.parse(body || '{}') as Readonly<Record<string, unknown>>) : {};
      if (path === '/tokenize' && options.encode !== undefined) {
        const tokens = options.encode(String(sent.prompt ?? sent.content));
        sendJson(response, 200, JSON.stringify({ tokens, count: tokens.length }));
        return;
      }
      const changed =
        options.hasFixedAdapters === true
          ? undefined
          : answerAdapters(control.adapters, options.dialect, { method, path, sent });
      if (changed !== undefined) {
        sendJson(response, changed.status, JSON.stringify(changed.body));
        return;
      }
      const isUnlabelled = options.versions === 'none' && path === '/update_weight_version';
      const replaced = isUnlabelled ? undefined : answerWeights(control.weights, options.dialect, path, sent);
      if (replaced !== undefined) {
        control.label = replaced.label ?? control.label;
        sendJson(response, replaced.status, JSON.stringify(replaced.body));
        return;
      }
      const aborted = abortedBy(options.dialect, path, sent);
      control.abortCalls.push(...aborted);
      sendJson(response, aborted.length > 0 ? 200 : 404, '{}');
    },
  };
  return control;
}

function isLabelledVllm({ dialect, versions }: FakeEngineOptions): boolean {
  return dialect.startsWith('vllm') && versions !== 'none';
}

function answerHealth(health: FakeControl['health'], response: ServerResponse): void {
  if (health === 'silent') return;
  sendJson(response, health === 'good' ? 200 : 503, '{}');
}

const generatePrefix = 'generate-tokens-';

function abortedBy(
  dialect: FakeEngineOptions['dialect'],
  path: string,
  sent: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (dialect === 'sglang' && path === '/abort_request') return [String(sent.rid)];
  if (dialect !== 'vllm-generate' || path !== '/inference/v1/abort_requests') return [];
  const named = Array.isArray(sent.request_ids) ? sent.request_ids.map(String) : [];
  return named.filter((id) => id.startsWith(generatePrefix)).map((id) => id.slice(generatePrefix.length));
}
