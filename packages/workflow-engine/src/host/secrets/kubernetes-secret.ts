import { isAppError } from '@weir/foundation';
import { createClusterApi, ClusterRefusal } from '../kubernetes/cluster-api';
import { kubeconfigAccess, podAccess, type ClusterAccess } from '../kubernetes/cluster-access';
import { chooseField } from './secret-fields';
import { optionText, type SecretReader } from './secret-source';

/** Where a server reads secrets of Kubernetes: in the cluster of its own pod, or in that of a kubeconfig. */
export type KubernetesSecretsAccess = { readonly kind: 'pod' } | { readonly kind: 'kubeconfig'; readonly file: string };

const limitMs = 30_000;
const name = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/** `key` is NAMESPACE/NAME, or NAME in the namespace of the access; `options` is field. */
export function createKubernetesSecretReader(from: KubernetesSecretsAccess): SecretReader {
  return async ({ key, options }) => {
    const parts = key.split('/');
    if (parts.length > 2 || !parts.every((part) => name.test(part))) {
      return { problem: 'the key has to be NAMESPACE/NAME' };
    }
    try {
      const access: ClusterAccess =
        from.kind === 'pod' ? await podAccess(undefined) : await kubeconfigAccess(from.file, {});
      const [own = '', given] = [parts.at(-1), parts.length === 2 ? parts[0] : undefined];
      const path = `/api/v1/namespaces/${given ?? access.namespace}/secrets/${own}`;
      const found = await createClusterApi(access).call({ method: 'GET', path, signal: AbortSignal.timeout(limitMs) });
      const { data = {} } = found as { readonly data?: Readonly<Record<string, string>> };
      const decoded = Object.entries(data).map(([field, text]) => [
        field,
        Buffer.from(text, 'base64').toString('utf8'),
      ]);
      return chooseField(Object.fromEntries(decoded) as Record<string, string>, optionText(options, 'field'));
    } catch (error) {
      if (error instanceof ClusterRefusal) return { problem: `Kubernetes has refused it (status ${error.status})` };
      return { problem: isAppError(error) ? error.message.replace(/\.$/, '') : 'Kubernetes cannot be reached' };
    }
  };
}
