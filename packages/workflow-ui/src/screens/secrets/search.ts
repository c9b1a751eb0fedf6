import { readPage, readText } from '@weir/ui-kit/app';

export interface SecretsSearch {
  /** Default: the secrets that all workspaces share. */
  readonly workspace?: string;
  readonly page?: number;
}

export function readSecretsSearch(search: Readonly<Record<string, unknown>>): SecretsSearch {
  return {
    ...readText('workspace', search),
    ...readPage(search),
  };
}
