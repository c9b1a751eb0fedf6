import { isApiError } from '@weir/workflow-client';
import { api } from '../api/client';
import { unwrap } from '@weir/ui-kit/app';
import type { SaveResult, SpecDocument } from './spec-document';

/** Returns the file of a DAG. */
export function dagDocument(fileName: string): SpecDocument {
  const path = { fileName };
  return {
    key: `dag:${fileName}`,
    load: async (signal) => {
      const answer = api.GET('/dags/{fileName}/spec', {
        params: { path },
        ...(signal === undefined ? {} : { signal }),
      });
      const { spec } = await unwrap(answer);
      return { text: spec, tag: tagOf((await answer).response) };
    },
    save: (text, tag) =>
      unlessChanged(async () => {
        const answer = api.PUT('/dags/{fileName}/spec', {
          params: { path },
          headers: { 'if-match': tag },
          body: { spec: text },
        });
        const { errors, findings } = await unwrap(answer);
        return errors.length > 0
          ? { kind: 'refused', findings }
          : { kind: 'saved', tag: tagOf((await answer).response) };
      }),
  };
}

/** Returns the settings that all DAGs inherit. */
export function baseDocument(): SpecDocument {
  return {
    key: 'base-config',
    load: async (signal) => {
      const answer = api.GET('/settings/base-config', signal === undefined ? {} : { signal });
      const { spec } = await unwrap(answer);
      return { text: spec, tag: tagOf((await answer).response) };
    },
    save: (text, tag) =>
      unlessChanged(async () => {
        const answer = api.PUT('/settings/base-config', { headers: { 'if-match': tag }, body: { spec: text } });
        await unwrap(answer);
        return { kind: 'saved', tag: tagOf((await answer).response) };
      }),
  };
}

function tagOf(response: Response): string {
  return response.headers.get('etag') ?? '*';
}

async function unlessChanged(save: () => Promise<SaveResult>): Promise<SaveResult> {
  try {
    return await save();
  } catch (error) {
    if (isApiError(error) && error.status === 412) return { kind: 'changed' };
    throw error;
  }
}
