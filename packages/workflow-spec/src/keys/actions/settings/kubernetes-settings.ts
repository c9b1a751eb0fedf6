import { keySpec } from '../../../shapes/object-kind';
import { nonEmptyText, text } from '../../../shapes/shapes';
import { duration } from '../../../shapes/settings/duration-setting';
import { flag, textMap, texts, webUrl, word } from '../../../shapes/settings/setting-shapes';
import { settingsShape } from '../../../shapes/settings/settings-shape';

/** Keys for the connection to a cluster; they are defaults in a DAG and settings in a step. */
export const kubernetesKeys = {
  kubeconfig: keySpec('Path of the kubeconfig; KUBECONFIG of the step, or ~/.kube/config, by default', nonEmptyText),
  context: keySpec('Context of the kubeconfig; the current one by default', nonEmptyText),
  server: keySpec('URL of the API server, in place of a kubeconfig', webUrl),
  token: keySpec('Token for server', text),
  ca_file: keySpec('Path of the certificate authority of server', nonEmptyText),
  in_cluster: keySpec('Use the service account of the pod that the server runs in', flag),
  namespace: keySpec('Namespace; that of the context, or default, by default', nonEmptyText),
  service_account: keySpec('Service account of the pod', nonEmptyText),
  image_pull_secrets: keySpec('Secrets for private images', texts('image_pull_secrets')),
  labels: keySpec('More labels of job and pod', textMap('labels')),
  node_selector: keySpec('Labels of the nodes that may run the pod', textMap('node_selector')),
  cleanup_policy: keySpec('delete (default) or keep the job afterwards', word('delete', 'keep')),
  pending_timeout: keySpec('How long a pod may take to start; 10 minutes by default', duration),
} as const;

/** The shape of the `kubernetes` of a DAG. */
export const kubernetesDefaults = settingsShape({ title: 'kubernetes', keys: kubernetesKeys });
