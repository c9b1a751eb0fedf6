import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CirclePlay, Play, Workflow } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api, type Schemas } from '../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { findMissingRole, permissionsQuery } from '../api/permissions';
import { useAppMessages } from '../parts/text/app-messages';
import type { PaletteCommand } from './palette-command';
import { useShellMessages } from './shell-messages';

export interface StartTarget {
  readonly fileName: string;
  /** Name of the DAG. */
  readonly name: string;
}

const settleMs = 150;
const shownDags = 5;
const shownRuns = 5;
/** Shorter words match too many. */
const leastLength = 4;

/** Finds the DAGs and runs whose names contain the last word of a text. */
export function useFoundCommands(text: string, onStart: (target: StartTarget) => void): readonly PaletteCommand[] {
  const t = useShellMessages();
  const navigate = useNavigate();
  const word = useSettled(text.trim().split(/\s+/).at(-1) ?? '');
  const { data: dags } = useFoundDags(word);
  const { data: runs } = useFoundRuns(word);
  const refusalOf = useStartRefusal();
  return [
    ...(dags?.dags ?? []).flatMap(({ fileName, dag, errors }) => {
      const name = dag.name === '' ? fileName : dag.name;
      const refusal = errors.length > 0 ? t('shell.palette.broken') : refusalOf(dag.workspace);
      return [
        {
          id: `start ${fileName}`,
          name: t('shell.palette.start', { name }),
          icon: <Play aria-hidden size={16} />,
          refusal,
          run: (): void => onStart({ fileName, name }),
        },
        {
          id: `dag ${fileName}`,
          name: t('shell.palette.dag', { name }),
          icon: <Workflow aria-hidden size={16} />,
          run: (): void => void navigate({ to: '/dags/$fileName', params: { fileName } }),
        },
      ];
    }),
    ...(runs?.results ?? []).map(({ name, dagRunId }) => ({
      id: `run ${name}/${dagRunId}`,
      name: t('shell.palette.run', { name, dagRunId }),
      icon: <CirclePlay aria-hidden size={16} />,
      run: (): void => void navigate({ to: '/dag-runs/$name/$runId', params: { name, runId: dagRunId } }),
    })),
  ];
}

function useFoundDags(name: string) {
  return useQuery<Schemas['ListDAGsResponse'], Failure>({
    queryKey: ['palette', 'dags', name],
    enabled: name !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => unwrap(api.GET('/dags', { params: { query: { name, perPage: shownDags } }, signal })),
  });
}

/** Finds runs of any age. */
function useFoundRuns(q: string) {
  return useQuery<Schemas['DAGRunSearchFeedResponse'], Failure>({
    queryKey: ['palette', 'runs', q],
    enabled: q.length >= leastLength,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/search/dag-runs', { params: { query: { q, limit: shownRuns } }, signal })),
  });
}

function useStartRefusal(): (workspace: string | undefined) => string | undefined {
  const app = useAppMessages();
  const { data } = useQuery(permissionsQuery);
  return (workspace) => {
    const role = data === undefined ? undefined : findMissingRole(data, 'executeDAG', workspace);
    return role === undefined ? undefined : app('app.needsRole', { role });
  };
}

/** Returns the value, once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
