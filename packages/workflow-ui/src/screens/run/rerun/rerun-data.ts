import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import type { RunAddress } from '../../../parts/run/run-address';
import type { Run } from '../../../parts/run/run-data';
import { useRunMutation } from '../../../parts/run/run-actions-data';
import type { RerunScope } from './rerun-plan';

/** Reads the present text of its DAG file; `undefined` where the file is missing. */
export function usePresentSpec({ sourceFileName }: Run) {
  return useQuery<string, Failure>({
    queryKey: ['dag-spec', sourceFileName],
    staleTime: 0,
    enabled: sourceFileName !== undefined,
    queryFn: async ({ signal }) => {
      const path = { fileName: sourceFileName ?? '' };
      return (await unwrap(api.GET('/dags/{fileName}/spec', { params: { path }, signal }))).spec;
    },
  });
}

/** Reads what a retry with this spec would execute. */
export function useSpecPreview({ name, runId }: RunAddress, spec: string | undefined) {
  return useQuery<Schemas['EditRetryPreviewResponse'], Failure>({
    queryKey: ['edit-retry-preview', name, runId, spec],
    enabled: spec !== undefined,
    placeholderData: (previous) => previous,
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/dag-runs/{name}/{dagRunId}/edit-retry/preview', {
          params: { path: { name, dagRunId: runId } },
          body: { spec: spec ?? '' },
          signal,
        }),
      ),
  });
}

/** A re-run that is ready to be sent. */
export type RerunRequest =
  | { readonly kind: 'retry'; readonly scope: Exclude<RerunScope, 'all'>; readonly step: string }
  | { readonly kind: 'reschedule'; readonly usesPresentSpec: boolean }
  | { readonly kind: 'edited'; readonly spec: string; readonly skipSteps: readonly string[] }
  | (NewRun & { readonly kind: 'start'; readonly fileName: string })
  | (NewRun & { readonly kind: 'start-spec'; readonly spec: string });

interface NewRun {
  readonly params: string;
  /** The only step that is executed, with the outputs of the run for those before it. */
  readonly onlyStep: string | undefined;
}

/** Sends a re-run, and resolves with the id of the run that executes it. */
export function useRerun(address: RunAddress, run: Run) {
  return useRunMutation((request: RerunRequest) => send(address, run, request));
}

async function send({ name, runId }: RunAddress, run: Run, request: RerunRequest): Promise<string> {
  const params = { path: { name, dagRunId: runId } };
  switch (request.kind) {
    case 'retry': {
      const { scope, step } = request;
      const chosen = scope === 'failed' ? {} : { stepName: step, includeDownstream: scope === 'from-step' };
      await unwrap(api.POST('/dag-runs/{name}/{dagRunId}/retry', { params, body: { dagRunId: runId, ...chosen } }));
      return runId;
    }
    case 'reschedule': {
      const body = { useCurrentDagFile: request.usesPresentSpec };
      return (await unwrap(api.POST('/dag-runs/{name}/{dagRunId}/reschedule', { params, body }))).dagRunId;
    }
    case 'edited': {
      const body = { spec: request.spec, skipSteps: [...request.skipSteps] };
      return (await unwrap(api.POST('/dag-runs/{name}/{dagRunId}/edit-retry', { params, body }))).dagRunId;
    }
    case 'start': {
      const { fileName } = request;
      const body = { ...toNewRun(request, runId, run), dagName: run.name };
      return (await unwrap(api.POST('/dags/{fileName}/start', { params: { path: { fileName } }, body }))).dagRunId;
    }
    case 'start-spec': {
      const body = { ...toNewRun(request, runId, run), spec: request.spec, name: run.name };
      return (await unwrap(api.POST('/dag-runs', { body }))).dagRunId;
    }
  }
}

function toNewRun({ params, onlyStep }: NewRun, runId: string, { profile = '' }: Run) {
  const chosen = onlyStep === undefined ? {} : { only: [onlyStep], outputsFrom: runId };
  return { params, profile, ...chosen };
}
