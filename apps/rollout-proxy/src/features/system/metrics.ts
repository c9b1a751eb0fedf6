import { AggregatorRegistry, Gauge, Histogram, Registry, collectDefaultMetrics, type Aggregator } from 'prom-client';
import type { RequestHandler } from 'express';
import type { EngineAdapters } from '@weir/rollout-engine';
import type { CapacityLedger } from '../capacity';
import type { SessionStore } from '../sessions';
import type { EngineGate } from './engine-gate';

export interface MetricsOptions {
  readonly store: SessionStore;
  readonly ledger: CapacityLedger;
  readonly engine: EngineGate;
  /** `undefined` for an engine without adapters. */
  readonly adapters: EngineAdapters | undefined;
  /** Reads those of all processes behind the address, with this one. Default: this one alone. */
  readonly readAll?: (() => Promise<readonly CollectedMetrics[]>) | undefined;
}

/** The metrics of one process, as prom-client aggregates them. */
export type CollectedMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface Metrics {
  /** In the form of Prometheus, for all processes behind the address. */
  text(): Promise<string>;
  /** Those of this process. */
  collect(): Promise<CollectedMetrics>;
  /** Counts and times every request. */
  readonly observe: RequestHandler;
}

/** Prometheus metrics: requests, sessions, capacity, generations, and the process with its event loop. */
export function createMetrics({ store, ledger, engine, adapters, readAll }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const sum = (read: (status: ReturnType<ReturnType<SessionStore['all']>[number]['status']>) => number) =>
    store.all().reduce((total, session) => total + read(session.status()), 0);
  const gauge = (name: string, help: string, read: () => number, aggregator: Aggregator = 'sum') =>
    new Gauge({
      name,
      help,
      registers,
      aggregator,
      collect() {
        this.set(read());
      },
    });
  new Gauge({
    name: 'weir_rollout_sessions',
    help: 'Sessions by state.',
    labelNames: ['state'],
    registers,
    collect() {
      this.reset();
      for (const session of store.all()) this.inc({ state: session.status().state });
    },
  });
  gauge('weir_rollout_session_bytes', 'Bytes of all sessions.', () => sum((status) => status.bytes));
  gauge('weir_rollout_turns_under_way', 'Running model calls.', () => sum((status) => status.runningCompletions));
  new Gauge({
    name: 'weir_rollout_grants_unused',
    help: 'Unused grants.',
    registers,
    // Common to all processes.
    aggregator: 'first',
    async collect() {
      this.set(await ledger.unused());
    },
  });
  gauge('weir_rollout_generations_running', 'Generations that run at the engine.', () => engine.running);
  gauge('weir_rollout_generation_paused', '1 while generation is paused.', () => (engine.isPaused ? 1 : 0), 'max');
  gauge('weir_rollout_weight_version', 'Version of the weights.', () => engine.version, 'max');
  new Gauge({
    name: 'weir_rollout_adapter_version',
    help: 'Version of the weights of each adapter that is loaded.',
    labelNames: ['adapter'],
    registers,
    aggregator: 'max',
    collect() {
      this.reset();
      const latest = new Map<string, number>();
      for (const { adapter } of adapters?.loaded() ?? []) {
        latest.set(adapter.name, Math.max(adapter.version, latest.get(adapter.name) ?? 0));
      }
      for (const [adapter, version] of latest) this.set({ adapter }, version);
    },
  });
  const durations = new Histogram({
    name: 'weir_rollout_request_seconds',
    help: 'Requests by method and status.',
    labelNames: ['method', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 2, 10, 60],
    registers,
  });
  return {
    text: async () => {
      const all = readAll === undefined ? registry : AggregatorRegistry.aggregate([...(await readAll())]);
      return all.metrics();
    },
    collect: () => registry.getMetricsAsJSON(),
    observe: (req, res, next) => {
      const startedAt = performance.now();
      res.once('close', () => {
        const status = res.writableFinished ? String(res.statusCode) : '499';
        durations.observe({ method: req.method, status }, (performance.now() - startedAt) / 1000);
      });
      next();
    },
  };
}
