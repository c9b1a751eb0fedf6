import { keySpec } from '../../shapes/object-kind';
import { anyMap, nonEmptyText, textOrList } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { duration } from '../../shapes/settings/duration-setting';
import { kubernetesKeys } from './settings/kubernetes-settings';
import { listOfAny, textMap, texts, whole, word } from '../../shapes/settings/setting-shapes';

export const kubernetesActions = [
  defineAction('kubernetes.run', {
    description: 'Runs a job on Kubernetes',
    execution: 'in-process',
    // The next attempt finds a job that has continued without the server.
    restart: true,
    dagDefaults: 'kubernetes',
    keys: {
      image: keySpec('The image', nonEmptyText, { required: true }),
      command: keySpec('Program and arguments; that of the image by default', textOrList),
      args: keySpec('Arguments', texts('args')),
      working_dir: keySpec('Working folder in the container', nonEmptyText),
      env: keySpec('Variables of the container, besides those of the step', textMap('env')),
      env_from: keySpec('Sources of variables, as in a container of Kubernetes', listOfAny('env_from')),
      resources: keySpec('requests and limits, as in a container of Kubernetes', anyMap),
      image_pull_policy: keySpec('When the image is pulled', word('Always', 'IfNotPresent', 'Never')),
      security_context: keySpec('Security context of the container', anyMap),
      pod_security_context: keySpec('Security context of the pod', anyMap),
      volumes: keySpec('Volumes, as in a pod of Kubernetes', listOfAny('volumes')),
      volume_mounts: keySpec('Where they are in the container', listOfAny('volume_mounts')),
      tolerations: keySpec('Taints that the pod tolerates', listOfAny('tolerations')),
      affinity: keySpec('Which nodes and pods the pod prefers', anyMap),
      active_deadline: keySpec('How long the job may take in the cluster', duration),
      backoff_limit: keySpec('Pods that the cluster starts after failures; 0 by default', whole(0, 1_000)),
      ttl_after_finished: keySpec('When the cluster deletes the finished job; after an hour by default', duration),
      ...kubernetesKeys,
    },
  }),
] as const;
