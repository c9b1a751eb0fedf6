import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { apiAddress } from '../../api/api-address';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { runKey, type RunAddress } from '../run/run-address';

export type Artifact = Schemas['ArtifactTreeNode'];

/** Reads all files and folders of the run. */
export function useArtifacts(
  address: RunAddress,
  version: number,
): UseQueryResult<Schemas['ArtifactTreeResponse'], Failure> {
  const { name, runId, sub } = address;
  const query = { recursive: 'true' } as const;
  const path = { name, dagRunId: runId };
  return useQuery<Schemas['ArtifactTreeResponse'], Failure>({
    queryKey: ['artifacts', runKey(address), version],
    placeholderData: (previous) => previous,
    queryFn: ({ signal }) =>
      sub === undefined
        ? unwrap(api.GET('/dag-runs/{name}/{dagRunId}/artifacts', { params: { path, query }, signal }))
        : unwrap(
            api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/artifacts', {
              params: { path: { ...path, subDAGRunId: sub }, query },
              signal,
            }),
          ),
  });
}

export function useArtifactPreview(
  address: RunAddress,
  file: string,
): UseQueryResult<Schemas['ArtifactPreviewResponse'], Failure> {
  const { name, runId, sub } = address;
  const query = { path: file };
  const path = { name, dagRunId: runId };
  return useQuery<Schemas['ArtifactPreviewResponse'], Failure>({
    queryKey: ['artifact', runKey(address), file],
    queryFn: ({ signal }) =>
      sub === undefined
        ? unwrap(api.GET('/dag-runs/{name}/{dagRunId}/artifacts/preview', { params: { path, query }, signal }))
        : unwrap(
            api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/artifacts/preview', {
              params: { path: { ...path, subDAGRunId: sub }, query },
              signal,
            }),
          ),
  });
}

/** Returns the address of the file itself, for links and pictures. */
export function artifactAddress({ name, runId, sub }: RunAddress, file: string): string {
  const run = [name, runId, ...(sub === undefined ? [] : ['sub-dag-runs', sub])].map(encodeURIComponent).join('/');
  return `${apiAddress}/dag-runs/${run}/artifacts/download?${new URLSearchParams({ path: file }).toString()}`;
}

/** Lists the files of the tree, without the folders. */
export function listFiles(items: readonly Artifact[]): readonly Artifact[] {
  return items.flatMap((item) => (item.type === 'directory' ? listFiles(item.children ?? []) : [item]));
}

export async function readArtifact({ name, runId, sub }: RunAddress, file: string): Promise<Uint8Array> {
  const query = { path: file };
  const path = { name, dagRunId: runId };
  const parseAs = 'arrayBuffer' as const;
  const buffer =
    sub === undefined
      ? await unwrap(api.GET('/dag-runs/{name}/{dagRunId}/artifacts/download', { params: { path, query }, parseAs }))
      : await unwrap(
          api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/artifacts/download', {
            params: { path: { ...path, subDAGRunId: sub }, query },
            parseAs,
          }),
        );
  return new Uint8Array(buffer);
}
