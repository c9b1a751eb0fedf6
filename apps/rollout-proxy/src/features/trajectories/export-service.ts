import { AppError } from '@weir/foundation';
import {
  exportTrajectories,
  planExport,
  writeTrainingBatch,
  type ExportOptions,
  type ExportReport,
  type InteractionCache,
  type TrainingEntry,
  type TrajectoryExport,
  trainedSpans,
  type ExportPlan,
} from '@weir/rollout-core';
import {
  ExportRequest,
  ignoredFields,
  type ExportedInteraction,
  type ExportResponse,
  type RowsResponse,
} from '@weir/rollout-contract';
import type { Session, SessionService } from '../sessions';
import type { CheckDrift, RenderedDrift } from './check-drift';
import { wireEntry } from './wire-form';

export interface ExportService {
  /**
   * Waits for the end of the session, within the time of the request, and builds the rows. Changes only the state of the
   * session, and that after the rows are built: a failed export can be repeated.
   */
  make(request: ExportRequest, signal: AbortSignal): Promise<Trajectories>;
  /** The export that `make` would give now. Changes nothing. Throws `payload_too_large` if it is too large to show. */
  preview(session: Session, choices: PreviewChoices): Trajectories;
  /** The same without tensors and conversations, with the omissions and their reasons. */
  previewRows(session: Session, choices: RowChoices): RowsResponse;
  /** Rejects with `not_found` or `conflict`, reason `session_not_exported`. */
  acknowledge(sessionId: string): Promise<void>;
}

export type RowChoices = Pick<ExportRequest, 'discount' | 'style' | 'rule' | 'drop_retry_orphans' | 'strict'>;
export type PreviewChoices = RowChoices & Pick<ExportRequest, 'include_messages'>;

/** Tensors of a preview: a person looks at it, and so it does not take the memory of an export. */
const maxPreviewTokens = 8_388_608;

export interface Trajectories {
  readonly session: Session;
  toJson(): ExportResponse;
  toSafetensors(): Uint8Array;
}

export function createExportService(sessions: SessionService, checkDrift: CheckDrift): ExportService {
  return {
    make: async (request, signal) => {
      const session = sessions.get(request.session_id);
      if (!(await session.waitUntilEnded(request.wait_seconds * 1000, signal))) throw notEnded(request.wait_seconds);
      // This comes before the rows: these and the rewards must be read without waiting in between.
      const rendered = request.check_drift ? await checkDrift(session.cache, signal) : undefined;
      session.assertPresent();
      // It is a snapshot: a reward that is corrected while the export is recorded belongs to the next one.
      const answer = build(session, request, { rendered });
      await session.markExported();
      return answer;
    },
    preview: (session, choices) =>
      build(session, ExportRequest.parse({ ...choices, session_id: session.id }), { maxTokens: maxPreviewTokens }),
    previewRows: (session, choices) => presentRows(session, planExport(session.cache, toOptions(session, choices))),
    acknowledge: async (sessionId) => {
      const session = sessions.get(sessionId);
      if (session.status().state !== 'exported') {
        throw new AppError('conflict', 'The session was not exported yet.', { reason: 'session_not_exported' });
      }
      await sessions.remove(session);
    },
  };
}

interface BuildOptions {
  readonly rendered?: RenderedDrift | undefined;
  readonly maxTokens?: number;
}

function build(session: Session, request: ExportRequest, { rendered, ...limits }: BuildOptions): Trajectories {
  const scorer = request.scorer === undefined ? {} : { scorer: request.scorer };
  const options = { ...toOptions(session, request), tensors: request.include_tensors, ...scorer, ...limits };
  const made = exportTrajectories(session.cache, options);
  const report = reportWith(made.report, { rendered, damagedBytes: session.damagedBytes });
  return trajectories(session, { ...made, report }, request);
}

function toOptions(session: Session, choices: RowChoices): ExportOptions {
  return {
    discount: choices.discount,
    style: choices.style,
    rule: choices.rule,
    dropRetryOrphans: choices.drop_retry_orphans,
    strict: choices.strict,
    ...(session.damagedBytes === 0 ? {} : { quarantine: 'journal_damaged' }),
  };
}

interface SessionReport {
  readonly rendered: RenderedDrift | undefined;
  readonly damagedBytes: number;
}

function reportWith(report: ExportReport, { rendered, damagedBytes }: SessionReport) {
  return {
    ...report,
    ...(rendered === undefined ? {} : { drift: { ...report.drift, rendered } }),
    ...(damagedBytes === 0 ? {} : { journal: { damagedBytes } }),
  };
}

function trajectories(
  session: Session,
  { entries, report }: Pick<TrajectoryExport, 'entries'> & { readonly report: ReturnType<typeof reportWith> },
  request: ExportRequest,
): Trajectories {
  const { cache } = session;
  const { rewardRevision: revision } = session.status();
  const ownRewards = new Map(entries.map(({ id }) => [id, cache.rewards.get(id)?.reward ?? null]));
  const { ignored } = ignoredFields(ExportRequest, request);
  return {
    session,
    toJson: () => ({
      session_id: session.id,
      revision,
      ...(session.adapter === undefined ? {} : { adapter: session.adapter }),
      interactions: Object.fromEntries(
        entries.flatMap((entry) => {
          const interaction = cache.get(entry.id);
          if (interaction === undefined) return [];
          const options = {
            includeMessages: request.include_messages,
            ownReward: ownRewards.get(entry.id) ?? null,
            modelResponse: request.model_response,
          };
          const provenance = request.include_provenance ? { provenance: provenanceOf(entry, cache) } : {};
          return [[entry.id, { ...wireEntry(entry, interaction, options), ...provenance }]];
        }),
      ),
      report: { ...report },
      ...(ignored === undefined ? {} : { ignored }),
    }),
    toSafetensors: () =>
      writeTrainingBatch(entries, {
        session_id: session.id,
        revision: String(revision),
        ...(session.adapter === undefined ? {} : { adapter: session.adapter }),
        report: JSON.stringify(report),
        ...(request.include_provenance
          ? { provenance: JSON.stringify(entries.map((entry) => provenanceOf(entry, cache))) }
          : {}),
        ...(ignored === undefined ? {} : { ignored: JSON.stringify(ignored) }),
      }),
  };
}

/** Returns the provenance of each call that the row trains. */
function provenanceOf({ trainedIds }: TrainingEntry, cache: InteractionCache): ExportedInteraction['provenance'] {
  return Object.fromEntries(
    trainedIds.map((id) => {
      const provenance = cache.get(id)?.provenance;
      return [id, provenance === undefined ? null : { ...provenance }];
    }),
  );
}

function notEnded(waitSeconds: number): AppError {
  return new AppError('conflict', `The session has not ended within ${waitSeconds} seconds; nothing was exported.`, {
    reason: 'session_not_ended',
  });
}

/** The rows of a planned export, and what they leave out. */
function presentRows(session: Session, { rows, leftOut, report }: ExportPlan): RowsResponse {
  return {
    session_id: session.id,
    revision: session.status().rewardRevision,
    rows: rows.map((row) => {
      const spans = trainedSpans(row);
      return {
        interaction_id: row.interaction.id,
        reward: row.reward.reward,
        original_reward: session.cache.rewards.get(row.interaction.id)?.reward ?? null,
        tokens: row.interaction.pathTokens,
        trained_tokens: spans.reduce((sum, { from, to }) => sum + to - from, 0),
        spans: spans.map(({ interaction, from, to }) => ({ interaction_id: interaction.id, from, to })),
      };
    }),
    left_out: leftOut.map(({ interaction, reason }) => ({
      interaction_id: interaction.id,
      reason,
      sampled_tokens: interaction.sampled.ids.length,
    })),
    report: { ...report },
  };
}
