import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

/** Changes a file of a DAG; lists and pages that show it are read again. */
function useChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, Failure, Input>({
    mutationFn: change,
    // The reading is not awaited: the next step may leave a page whose DAG has another name, or none, by then.
    onSettled: () => void client.invalidateQueries({ queryKey: ['live'] }),
  });
}

/** Switches the schedule of a DAG off or on. */
export function useSuspendDag() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ fileName, suspend }: { readonly fileName: string; readonly suspend: boolean }) =>
      unwrap(api.POST('/dags/{fileName}/suspend', { params: { path: { fileName } }, body: { suspend } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['live'] }),
  });
}

/** Without a text, the server writes an example step. */
export function useCreateDag() {
  return useChange((body: { readonly name: string; readonly spec?: string }) => unwrap(api.POST('/dags', { body })));
}

/** Copies the text of a DAG into a new one. */
export function useCopyDag(fileName: string) {
  return useChange(async (name: string) => {
    const { spec } = await unwrap(api.GET('/dags/{fileName}/spec', { params: { path: { fileName } } }));
    return unwrap(api.POST('/dags', { body: { name, spec } }));
  });
}

export interface Renaming {
  readonly from: string;
  readonly to: string;
}

export function useRenameDag() {
  return useChange(({ from, to }: Renaming) =>
    unwrap(api.POST('/dags/{fileName}/rename', { params: { path: { fileName: from } }, body: { newFileName: to } })),
  );
}

/** Creates a deleted DAG again, with the text of a revision. */
export function useRestoreDeleted(fileName: string) {
  return useChange((revision: number) =>
    unwrap(
      api.POST('/dags/{fileName}/revisions/{revision}/restore', {
        params: { path: { fileName, revision: String(revision) } },
      }),
    ),
  );
}

/** Resolves with the number of the revision from which it can be restored. */
export async function deleteDag(fileName: string): Promise<number | undefined> {
  const path = { fileName };
  const { revisions } = await unwrap(api.GET('/dags/{fileName}/revisions', { params: { path, query: { limit: 1 } } }));
  await unwrap(api.DELETE('/dags/{fileName}', { params: { path } }));
  return revisions[0]?.revision;
}
