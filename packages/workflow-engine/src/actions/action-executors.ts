import type { ActionDependencies, ActionExecutor } from './action-executor';
import { artifactList, artifactRead, artifactWrite } from './artifacts/artifact-actions';
import { dockerRun } from './container/docker-run-action';
import { createExec } from './exec/exec-action';
import { fileDelete } from './files/delete-file-action';
import { fileList } from './files/list-files-action';
import { fileMkdir } from './files/make-folder-action';
import { fileRead, fileStat } from './files/read-file-actions';
import { fileCopy, fileMove } from './files/transfer-actions';
import { fileWrite } from './files/write-file-action';
import { httpRequest } from './http/http-request-action';
import { createJqFilter } from './data/jq-filter-action';
import { createJsRun } from './js/js-run-action';
import { createMailSend } from './mail/mail-send-action';
import { outputsWrite } from './data/outputs-write-action';
import { logWrite, noop } from './basic/basic-actions';
import { sshRun } from './ssh/ssh-run-action';
import {
  createStateDelete,
  createStateDiff,
  createStateGet,
  createStateList,
  createStateSet,
} from './state/state-actions';
import { templateRender } from './template/template-render-action';
import { createWaitDuration, createWaitFile, createWaitUntil } from './wait/wait-actions';
import { createWaitHttp } from './wait/wait-http-action';

type Create = (dependencies: ActionDependencies) => ActionExecutor;

const always =
  (executor: ActionExecutor): Create =>
  () =>
    executor;

const creators: ReadonlyMap<string, Create> = new Map<string, Create>([
  ['noop', always(noop)],
  ['log.write', always(logWrite)],
  ['docker.run', always(dockerRun)],
  ['exec', createExec],
  ['http.request', always(httpRequest)],
  ['jq.filter', createJqFilter],
  ['js.run', createJsRun],
  ['mail.send', createMailSend],
  ['outputs.write', always(outputsWrite)],
  ['ssh.run', always(sshRun)],
  ['template.render', always(templateRender)],
  ['wait.duration', createWaitDuration],
  ['wait.until', createWaitUntil],
  ['wait.file', createWaitFile],
  ['wait.http', createWaitHttp],
  ['artifact.list', always(artifactList)],
  ['artifact.read', always(artifactRead)],
  ['artifact.write', always(artifactWrite)],
  ['state.delete', createStateDelete],
  ['state.diff', createStateDiff],
  ['state.get', createStateGet],
  ['state.list', createStateList],
  ['state.set', createStateSet],
  ['file.copy', always(fileCopy)],
  ['file.move', always(fileMove)],
  ['file.delete', always(fileDelete)],
  ['file.list', always(fileList)],
  ['file.mkdir', always(fileMkdir)],
  ['file.read', always(fileRead)],
  ['file.stat', always(fileStat)],
  ['file.write', always(fileWrite)],
]);

/** The actions that a step may call in this version: those that {@link createActionExecutors} has an executor for. */
export const runnableActions: ReadonlySet<string> = new Set(creators.keys());

/** Those of them that start a process of their own. */
export const processActions: ReadonlySet<string> = new Set(['exec']);

/** An executor for each action that runs, by its canonical name. */
export function createActionExecutors(dependencies: ActionDependencies): ReadonlyMap<string, ActionExecutor> {
  return new Map([...creators].map(([name, create]) => [name, create(dependencies)]));
}
