import type { Part } from '../../model/compact';
import type { DagSettings } from '../../model/dag';
import { chatDefaults } from '../actions/settings/chat-settings';
import { harnessDefaults, harnessDefinitions } from '../actions/settings/harness-settings';
import { kubernetesDefaults } from '../actions/settings/kubernetes-settings';
import { redisDefaults } from '../actions/settings/redis-settings';
import { s3Defaults } from '../actions/settings/s3-settings';
import { sshDefaults } from '../actions/settings/ssh-settings';
import { container } from '../../values/execution/container';
import { registryAuths } from '../../values/execution/registry-auths';
import { workerSelector } from '../../values/execution/worker-selector';
import { tools } from '../../values/tools/tools';
import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText, textList } from '../../shapes/shapes';
import { joinShell, shell } from '../../values/execution/shell';
import type { YamlValue } from '../../source/yaml/yaml-value';
import type { Fields } from '../../shapes/read-object';

export const executionKeys = {
  working_dir: keySpec('Working directory of all steps', nonEmptyText),
  shell: keySpec('Shell of all steps, with its arguments', shell),
  shell_args: keySpec('Additional arguments of the shell', textList),
  container: keySpec('A container for all steps: an image, or a map', container),
  registry_auths: keySpec('Credentials of image registries: a map by host, or a JSON string', registryAuths),
  ssh: keySpec('Defaults of ssh.run and sftp.*', sshDefaults),
  s3: keySpec('Defaults of s3.*', s3Defaults),
  redis: keySpec('Defaults of redis.*', redisDefaults),
  kubernetes: keySpec('Defaults of kubernetes.run', kubernetesDefaults),
  llm: keySpec('Defaults of chat.completion', chatDefaults),
  harness: keySpec('Defaults of harness.run', harnessDefaults),
  harnesses: keySpec('External coding agents and how they are called, by name', harnessDefinitions),
  tools: keySpec('Command-line tools that are installed for the steps of a run', tools),
  worker_selector: keySpec('Labels of the worker that executes the run, or local', workerSelector),
} as const;

export const executionUnsupported = {
  resources: 'limits of a whole run; kubernetes.run and a container of a step have their own',
} as const;

export function readExecutionSettings(fields: Fields<typeof executionKeys>, value: YamlValue): Part<DagSettings> {
  return {
    workingDir: fields.working_dir?.value,
    shell: joinShell(fields, value.context),
    container: fields.container?.value,
    registryAuths: fields.registry_auths?.value,
    ssh: fields.ssh?.value,
    s3: fields.s3?.value,
    redis: fields.redis?.value,
    kubernetes: fields.kubernetes?.value,
    llm: fields.llm?.value,
    harness: fields.harness?.value,
    harnesses: fields.harnesses?.value,
    tools: fields.tools?.value,
    workerSelector: fields.worker_selector?.value,
  };
}
